"""Maps that people draw, on their pages: begun in three ways, saved, checked, overtaken, deleted; by their owner."""

from collections.abc import Mapping
from io import BytesIO

import pytest
from werkzeug.test import TestResponse

from pbem.engine import catalog
from pbem.service.own_maps import drafts
from tests.web.addresses import BASE
from tests.web.reading import Form, Page
from tests.web.site import Site

RUST_BELT = catalog.drawings()["rust_belt"]


@pytest.fixture
def ana(site: Site) -> Site:
    site.log_in()
    return site


def get(site: Site, path: str, code: int = 200) -> Page:
    answer = site.client.get(path, base_url=BASE)
    assert answer.status_code == code, answer.text
    return Page(answer.text)


def post(site: Site, path: str, fields: Mapping[str, object], code: int = 303) -> TestResponse:
    answer = site.client.post(path, data=fields, base_url=BASE)
    assert answer.status_code == code, answer.text
    return answer


def form(page: Page, how: str) -> Form:
    return next(each for each in page.posts if each.hidden.get("how") == how)


def saving(page: Page) -> Form:
    return next(each for each in page.posts if each.action.startswith("/maps/own/"))


def begun(site: Site, text: str = RUST_BELT) -> str:
    return f"/maps/own/{drafts.begin(site.office, site.host, text, site.now)}"


def test_a_map_begins_empty_with_a_size(ana: Site) -> None:
    new = form(get(ana, "/maps/own"), "empty")
    sent = post(ana, new.action, {**new.fields, **new.hidden, "name": "Douro", "columns": "12", "rows": "8"})
    page = get(ana, sent.headers["Location"])
    assert page.headings[0] == "Douro"
    assert "A map needs two Cities at least." in page.text
    assert "Douro" in get(ana, "/maps/own").text


def test_a_map_begins_as_a_copy_and_its_board_is_drawn(ana: Site) -> None:
    new = form(get(ana, "/maps/own"), "copy")
    assert "rust_belt" in new.offered["map"]
    sent = post(ana, new.action, {**new.hidden, "map": "rust_belt"})
    page = get(ana, sent.headers["Location"])
    assert "No faults" in page.text
    assert '<svg id="board"' in page.html
    assert ana.client.get(f"{sent.headers['Location']}/thumb.png", base_url=BASE).mimetype == "image/png"


def test_a_map_begins_with_a_file(ana: Site) -> None:
    new = form(get(ana, "/maps/own"), "file")
    sent = post(ana, new.action, {**new.hidden, "file": (BytesIO(RUST_BELT.encode()), "board.toml")})
    assert "No faults" in get(ana, sent.headers["Location"]).text
    for content in (b"", b"\xff\xfe\x00", b"a\0b"):
        sent = post(ana, new.action, {**new.hidden, "file": (BytesIO(content), "board.toml")}, 400)
        assert "What you sent is no text." in sent.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"how": "empty", "name": ""}, "Enter a name."),
        ({"how": "empty", "name": "Douro", "columns": "2"}, "A map has 4 to 40 hexes from side to side."),
        ({"how": "empty", "name": "Douro", "rows": "x"}, "A map has 4 to 40 hexes from side to side."),
        ({"how": "empty", "name": "Douro", "orientation": "x"}, "Choose which way the hexes stand."),
        ({"how": "copy", "map": "atlantis"}, "Choose the map that you want to copy."),
    ],
)
def test_what_makes_no_map_is_told_and_what_was_typed_stays(ana: Site, fields: dict[str, str], sentence: str) -> None:
    mark = form(get(ana, "/maps/own"), "empty").hidden["mark"]
    answer = post(ana, "/maps/own", {"mark": mark, **fields}, code=400)
    assert sentence in Page(answer.text).text
    if "name" in fields:
        assert form(Page(answer.text), "empty").fields["name"] == fields["name"]


def test_a_text_is_saved_and_its_faults_are_listed_with_their_hexes(ana: Site) -> None:
    path = begun(ana)
    page = get(ana, path)
    assert saving(page).fields["text"].strip() == RUST_BELT.strip()
    wrong = RUST_BELT.replace('"La Crosse" = "G4"\n', "")
    post(ana, path, {**saving(page).hidden, "text": wrong})
    page = get(ana, path)
    assert "1 fault" in page.headings
    assert "The town on G4 has no name." in page.text
    assert saving(page).fields["text"].strip() == wrong.strip()
    assert 'id="at-G4"' in page.html
    assert ana.client.get(f"{path}/thumb.png", base_url=BASE).status_code == 404


def test_a_look_changes_nothing(ana: Site) -> None:
    path = begun(ana)
    before = drafts.of_account(ana.office, ana.host)
    for address in (
        "/maps/own",
        path,
        f"{path}/delete",
        f"{path}/rules",
        f"{path}/ways",
        f"{path}/board.toml",
        f"{path}/thumb.png",
    ):
        assert ana.client.get(address, base_url=BASE).status_code == 200
    assert drafts.of_account(ana.office, ana.host) == before


def test_two_pages_that_save_get_both_texts(ana: Site) -> None:
    path = begun(ana)
    first, second = saving(get(ana, path)), saving(get(ana, path))
    post(ana, path, {**first.hidden, "text": "one"})
    answer = Page(post(ana, path, {**second.hidden, "text": "two"}, code=409).text)
    assert saving(answer).fields["text"].strip() == "two"
    assert ">\none\n</textarea>" in answer.html
    post(ana, saving(answer).action, {**saving(answer).hidden, "text": "two"})
    assert saving(get(ana, path)).fields["text"].strip() == "two"


def test_nobody_else_comes_to_a_draft(ana: Site) -> None:
    path = begun(ana)
    ana.log_in(1)
    for address in (path, f"{path}/delete", f"{path}/rules", f"{path}/ways", f"{path}/board.toml", f"{path}/thumb.png"):
        assert ana.client.get(address, base_url=BASE).status_code == 404
    assert "Rust Belt" not in get(ana, "/maps/own").headings
    ana.client = ana.app.test_client()
    for address in ("/maps/own", path):
        assert "/login" in ana.get_on(address)


def test_a_map_is_deleted_after_a_question(ana: Site) -> None:
    path = begun(ana)
    post(ana, f"{path}/delete", saving(get(ana, f"{path}/delete")).hidden)
    assert "You have drawn no map yet." in get(ana, "/maps/own").text
    get(ana, path, code=404)


def test_a_form_of_another_browser_changes_nothing(ana: Site) -> None:
    path = begun(ana)
    post(ana, path, {"mark": "x", "revision": "1", "text": "x"}, code=403)
    for what in ("save", "check"):
        post(ana, f"{path}/{what}", {"mark": "x", "revision": "1", "text": "x"}, code=403)
    post(ana, f"{path}/rules", {"mark": "x", "revision": "1"}, code=403)
    post(ana, f"{path}/ways", {"mark": "x", "revision": "1", "edit": "ways"}, code=403)
    post(ana, f"{path}/delete", {"mark": "x"}, code=403)
    post(ana, "/maps/own", {"mark": "x", "how": "copy", "map": "rust_belt"}, code=403)
    assert drafts.of_account(ana.office, ana.host)[0].revision == 1


def test_a_text_is_checked_without_being_saved(ana: Site) -> None:
    path = begun(ana)
    form = saving(get(ana, path))
    wrong = RUST_BELT.replace('"La Crosse" = "G4"\n', "")
    page = Page(post(ana, path, {**form.hidden, "text": wrong, "do": "check"}, code=200).text)
    assert "The town on G4 has no name." in page.text
    assert "Not saved yet." in page.text
    assert saving(page).fields["text"].strip() == wrong.strip()
    assert drafts.of_account(ana.office, ana.host)[0].revision == 1
    post(ana, path, {**form.hidden, "text": wrong, "do": "x"}, code=400)


def test_the_script_gets_faults_and_what_it_paints(ana: Site) -> None:
    path = begun(ana)
    hidden = saving(get(ana, path)).hidden
    wrong = RUST_BELT.replace('"La Crosse" = "G4"\n', "")
    answer = post(ana, f"{path}/check", {**hidden, "text": wrong}, code=200).get_json()
    assert answer["faults"] == [{"hex": "G4", "sentence": "The town on G4 has no name."}]
    assert answer["model"]["hexes"]["G4"] == "o"
    assert ["Toledo", "K12"] in answer["model"]["tables"]["towns"]
    assert 'id="at-G4"' in answer["parts"]["#over"]
    assert "1 fault" in answer["parts"]["#faults"]
    for text in ("name = ", RUST_BELT.replace("[towns]", "[town]")):
        assert post(ana, f"{path}/check", {**hidden, "text": text}, code=200).get_json()["model"] is None
    ana.log_in(1)
    mark = form(get(ana, "/maps/own"), "empty").hidden["mark"]
    post(ana, f"{path}/check", {"mark": mark, "text": wrong}, code=404)


def test_the_board_grows_and_shrinks_by_buttons_of_the_form(ana: Site) -> None:
    path = begun(ana)
    form = saving(get(ana, path))
    wrong = RUST_BELT.replace('"La Crosse" = "G4"\n', "")
    post(ana, path, {**form.hidden, "text": wrong, "edit": "grow left"})
    page = get(ana, path)
    assert "The town on G5 has no name." in page.text
    assert '"Toledo" = "K13"' in page.text
    post(ana, path, {**saving(page).hidden, "text": saving(page).fields["text"], "edit": "shrink left"})
    assert drafts.of_account(ana.office, ana.host)[0].text == wrong
    hidden = saving(get(ana, path)).hidden
    page = Page(post(ana, path, {**hidden, "text": "name = ", "edit": "grow above"}, code=400).text)
    assert "Nothing can be painted while the text holds what cannot be read: it would be lost." in page.text
    assert saving(page).fields["text"].strip() == "name ="
    wide = RUST_BELT.replace('"Toledo"', '"To {x} ledo"')
    page = Page(post(ana, path, {**hidden, "text": wide, "edit": "shrink below"}, code=400).text)
    assert "These would be lost with the hexes: " in page.text
    asked = saving(page)
    assert drafts.of_account(ana.office, ana.host)[0].text == wrong
    answer = post(ana, f"{path}/check", {**hidden, "text": wide, "edit": "shrink below"}, code=200).get_json()
    assert "Changed. These went with the hexes: " in answer["said"]
    other = {**asked.hidden, "text": wide, "edit": "shrink above"}
    assert "These would be lost" in Page(post(ana, path, other, code=400).text).text
    post(ana, path, {**asked.hidden, "text": wide, "edit": "shrink below"})
    assert drafts.of_account(ana.office, ana.host)[0].text == answer["text"]
    post(ana, path, {**saving(get(ana, path)).hidden, "text": wrong, "do": "save"})
    hidden = saving(get(ana, path)).hidden
    for nonsense in ("grow", "grow inside", "x", "grow left x"):
        post(ana, path, {**hidden, "text": wrong, "edit": nonsense}, code=400)
    answer = post(ana, f"{path}/check", {**hidden, "text": wrong, "edit": "grow above"}, code=200).get_json()
    assert answer["faults"][0]["hex"] == "I4"
    assert '"Toledo" = "M12"' in answer["text"]
    refused = post(ana, f"{path}/check", {**hidden, "text": "name = ", "edit": "grow above"}, code=200).get_json()
    assert set(refused) == {"said"}


def test_links_rivers_sides_and_terminals_are_made_and_removed_by_a_form(ana: Site) -> None:
    path = f"{begun(ana)}/ways"

    def send(edit: str, **typed: str) -> str:
        form = next(each for each in get(ana, path).posts if each.action == path)
        fields = {key: value for key, value in form.fields.items() if value and "edit" not in key}
        named = {key.replace("_", "."): value for key, value in typed.items()}
        post(ana, path, {**form.hidden, **fields, **named, "edit": edit})
        return drafts.of_account(ana.office, ana.host)[0].text

    ferry = send("ways", link_0_start="Toledo", link_0_end="Cleveland", link_0_price="6", terminal_L7="on")
    assert '"Toledo - Cleveland" = { joins = ["K12", "J15"], price = 6 }' in ferry
    assert 'tags = ["terminal"]' in ferry
    public = send("ways", link_1_start="Chicago", link_1_end="Detroit", link_1_only="on", river_0_hexes="D1 E2")
    assert '"Chicago - Detroit" = { joins = ["L7", "H13"], tags = ["new city only"] }' in public
    assert '"River D1" = ["D1", "E2"]' in public
    assert 'D3 = ["N"]' in send("close", wall_hex="D3", wall_N="on")
    send("open", wall_hex="D3", wall_N="on")
    send("drop link.1")
    send("drop river.0")
    assert send("ways", link_0_start="", link_0_end="", terminal_L7="") == RUST_BELT
    mark = get(ana, path).posts[-1].hidden
    post(ana, path, {**mark, "edit": "nonsense"}, code=400)
    page = Page(post(ana, path, {**mark, "ways": "x", "edit": "ways"}, code=400).text)
    assert "Save the text first." in page.text
    post(ana, path, {**mark, "revision": "0", "edit": "close", "wall.hex": "D3", "wall.N": "on"}, code=409)


def test_the_script_saves_and_is_told_when_another_page_has_saved_since(ana: Site) -> None:
    path = begun(ana)
    hidden = saving(get(ana, path)).hidden
    assert post(ana, f"{path}/save", {**hidden, "text": "one"}, code=200).get_json()["revision"] == 2
    post(ana, f"{path}/save", {**hidden, "text": "two"}, code=409)
    assert saving(get(ana, path)).fields["text"].strip() == "one"
    assert ana.client.get(f"{path}/board.toml", base_url=BASE).text == "one\n"


def test_rules_are_fields_and_say_what_players_will_read(ana: Site) -> None:
    path = begun(ana)
    sent = post(ana, path, {**saving(get(ana, path)).hidden, "text": RUST_BELT, "do": "rules"})
    form = saving(get(ana, sent.headers["Location"]))
    changed = {"players.0": "3", "players.1": "4", "engineer.tiles": "5", "start.cash": "12", "turns.3": "9"}
    changed |= {"cubes.0.hex": "L7", "cubes.0.when": "before dice", "goods.red.income": "1", "tiles": "many"}
    sent = post(ana, form.action, {**form.fields, **form.hidden, **changed})
    page = get(ana, sent.headers["Location"])
    assert "The rule tiles must be a whole number from 1 to 8." in page.text
    form = saving(page)
    post(ana, form.action, {**form.fields, **form.hidden, "tiles": "2"})
    page = get(ana, sent.headers["Location"])
    for sentence in (
        "2 tiles a turn at most.",
        "The Engineer lays 5 tiles at most.",
        "At the start: $12, 2 shares, engine 1.",
        "Chicago receives one cube from the bag every turn.",
        "red cube gains 1 more.",
    ):
        assert sentence in page.text
    written = ana.client.get(f"{path}/board.toml", base_url=BASE).text
    assert "turns = { 3 = 9, 4 = 8 }" in written
    assert 'hex = "L7"\nwhen = "before dice"\n' in written


def test_rules_are_not_written_into_a_text_that_would_lose_something(ana: Site) -> None:
    path = begun(ana, RUST_BELT.replace("[towns]", "[town]"))
    page = get(ana, f"{path}/rules")
    assert "Put right its faults first." in page.text
    hidden = saving(get(ana, path)).hidden
    post(ana, f"{path}/rules", {**hidden, "tiles": "2"}, code=400)
    assert drafts.of_account(ana.office, ana.host)[0].revision == 1
