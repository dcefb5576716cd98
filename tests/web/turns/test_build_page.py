"""The build page: the draft lives in the address, every hex, tile and step is a link."""

import re
from urllib.parse import quote_plus, unquote_plus, urlencode

import pytest

from pbem.rails.builder import builder_of
from pbem.rails.track import RouteChoice
from pbem.robot.links import LinkProposal, proposals
from pbem.web.turns.addresses import Addresses
from pbem.web.turns.build import BuildPage, Wish
from tests.every_page.decisions import kept, stops
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site


@pytest.fixture
def building(played: Played) -> Site:
    return played("build")


def _hex(page: Page, label: str) -> str:
    return page.link(f"hex={label}#").partition("#")[0]


def test_without_a_step_the_form_builds_nothing_and_has_no_main_button(building: Site) -> None:
    page = building.get(building.turn())
    assert page.headings[0] == "Build track"
    assert page.form.hidden == {"orders": "build nothing"}
    assert 'class="main' not in page.html
    assert building.press(building.turn()).headings[0] == "Your orders are played"


def test_a_hex_shows_its_tiles_with_pictures_and_prices(building: Site) -> None:
    page = building.get(_hex(building.get(building.turn()), "B1"))
    assert "Hex B1: plain, by Duluth" in page.headings
    tiles = [picture for picture in page.pictures if "/tile.png" in picture["src"]]
    assert tiles
    assert all(building.client.get(tile["src"]).mimetype == "image/png" for tile in tiles)
    assert "$2" in page.text


def test_the_board_has_the_same_links_as_the_list(building: Site) -> None:
    html = building.get(building.turn()).html
    board = html.partition('aria-label="Board, scrolls')[2].partition("</svg>")[0]
    listed = html.partition('id="list"')[2].partition("</section>")[0]
    hexes = set(re.findall(r"hex=([A-Z]+[0-9]+)#", listed))
    assert hexes
    assert hexes == set(re.findall(r"hex=([A-Z]+[0-9]+)#", board))


def test_the_list_has_a_group_for_own_track_when_there_is_some_and_never_an_empty_one(building: Site) -> None:
    def groups(query: str) -> list[tuple[str, int]]:
        html = building.get(building.turn() + query).html
        listed = html.partition('id="list"')[2].partition("</section>")[0].partition("<details>")[0]
        found = re.findall(r'(?:<h3>([^<]*)</h3>\s*)?<ul class="hexes">(.*?)</ul>', listed, re.DOTALL)
        return [(title, hexes.count("<li>")) for title, hexes in found]

    ((title, number),) = groups("")
    assert (title, number > 20) == ("", True)
    own, turned, others = groups("?steps=B1+NE-S")
    titles = (own[0], turned[0], others[0])
    assert titles == ("Continue your unfinished track", "Turn the end of your unfinished track", "From Cities")
    assert (own[1], turned[1], others[1] > 20) == (1, 1, True)


def test_a_list_to_which_nothing_can_be_added_says_why_and_what_to_do(building: Site) -> None:
    two = "steps=B1+NE-S;D1+N-S"
    tiles = building.get(_hex(building.get(f"{building.turn()}?{two}"), "B15"))
    page = building.get(tiles.link("B15+").partition("#")[0])
    assert "3 of 3" in page.text
    assert "All your tiles are laid." in page.text
    assert "Send the build, or undo a step." in page.text


def test_new_links_are_rows_that_lead_to_their_drafts(building: Site) -> None:
    view = building.view()

    def rows(*steps: str, cheapest: bool = False) -> list[tuple[LinkProposal, str]]:
        addresses = Addresses(
            lambda **query: f"?{urlencode({k: v for k, v in query.items() if v})}", lambda *_, **__: ""
        )
        found: list[tuple[LinkProposal, str]] = BuildPage(view, addresses, Wish(steps, "", "", cheapest)).values()[
            "proposals"
        ]
        return found

    links = [link for link, _ in rows()]
    assert {(link.price, link.title.read(view.voice)) for link in links} >= {(4, "Minneapolis to Duluth")}
    assert [-(link.gain or 0) for link in links] == sorted(-(link.gain or 0) for link in links)
    assert sorted(rows(cheapest=True), key=lambda row: row[0].price) == rows(cheapest=True)
    best, url = rows()[0]
    assert best.gain
    assert best.delivery is not None
    assert f"Build this for ${best.price}" in building.get(f"{building.turn()}{url.partition('#')[0]}").text
    assert not rows("B1 NE-S"), "a link that has begun goes on by hand"


def test_a_build_that_has_completed_a_link_goes_on_with_further_ones(empty: Site) -> None:
    record = kept("barbados-1-shares-left-reduction_table=first_edition")
    builds = {at: (entry.phase, "build") for at, entry in enumerate(record.turns) if entry.phase == "build_track"}
    for _ in stops(empty, record, builds):
        view, at = empty.view(), empty.turn()
        for begun in proposals(view.sheet, view.state, "blue"):
            for further in proposals(view.sheet, view.state, "blue", begun.steps)[:1]:
                page = empty.get(f"{at}?steps={quote_plus(';'.join(begun.steps))}")
                assert "Further links within your money" in page.headings
                to = f"?steps={';'.join(further.steps)}#draft"
                address = next(link for link in page.links if unquote_plus(link) == to)
                both = empty.get(at + address.partition("#")[0])
                assert f"Build this for ${begun.price + further.price}" in both.text
                return
    raise AssertionError("no build had tiles left for a second link")


def test_a_whole_build_by_links_alone(building: Site) -> None:
    page = building.get(building.turn())
    for label, step in (("B1", "B1+NE-S"), ("D1", "D1+N-S")):
        page = building.get(_hex(page, label))
        page = building.get(page.link(step).partition("#")[0])
    assert "2 of 3" in page.text
    assert "Build this for $4" in page.text
    assert "Completes Duluth–Minneapolis" in page.text
    assert page.form.hidden == {"orders": "build B1 NE-S; D1 N-S"}
    before = building.view()
    answer = building.get(building.post(page.form.action, page.form.hidden).headers["Location"])
    assert answer.headings[0] == "Your build is played"
    assert building.view().log[-1].seat == before.waiting_for


def test_a_step_can_be_taken_out_and_undone(building: Site) -> None:
    page = building.get(building.turn() + "?steps=B1+NE-S;D1+N-S")
    undone = building.get(page.link("steps=B1+NE-S#draft").partition("#")[0])
    assert undone.form.hidden == {"orders": "build B1 NE-S"}
    assert building.get(building.turn()).form.hidden == {"orders": "build nothing"}
    assert "?#draft" in undone.links


def test_an_unfinished_section_is_told_before_it_is_lost_or_kept(building: Site) -> None:
    assert "Kept:" in building.get(building.turn() + "?steps=B1+NE-S").text


@pytest.mark.parametrize("steps", ["B1 N-S", "Q99 N-S", "hello", "B1", "city A Toledo", ";;;", "B1 NE-S;B1 NE-S", "💥"])
def test_steps_that_cannot_be_built_are_shown_with_the_reason_and_left_out(building: Site, steps: str) -> None:
    response = building.client.get(building.turn(), query_string={"steps": steps})
    assert response.status_code == 200
    page = Page(response.text)
    assert ("Left out:" in page.text) == (steps != ";;;")


def test_a_draft_that_is_too_long_is_left_out_with_a_sentence(building: Site) -> None:
    page = building.get(building.turn() + "?steps=" + "B1+NE-S;" * 400)
    assert "longer than 1,500 characters" in page.text
    assert page.form.hidden == {"orders": "build nothing"}


def test_checking_typed_steps_makes_them_the_draft(building: Site) -> None:
    page = building.get(building.turn() + "?typed=build+B1+NE-S;+D1+N-S&check=1")
    assert "This is legal" in page.text
    assert page.form.hidden == {"orders": "build B1 NE-S; D1 N-S"}
    wrong = building.get(building.turn() + "?typed=build+B1+NE-S;+Q8+@N&check=1")
    assert wrong.form.hidden == {"orders": "build B1 NE-S"}
    assert "Left out:" in wrong.text


def test_the_picture_of_a_draft_is_kept_for_ever_and_differs_from_the_board(building: Site) -> None:
    plain, drafted = (
        building.client.get(building.get(building.turn() + query).pictures[0]["src"])
        for query in ("", "?steps=B1+NE-S")
    )
    assert plain.data != drafted.data
    assert "immutable" in drafted.headers["Cache-Control"]


def test_urbanization_offers_letters_and_their_towns(site: Site) -> None:
    site.until("build", action="urbanization")
    while not builder_of(site.asked().sheet).draft(site.asked().state, ()).new_cities:
        assert site.play("build nothing").status == "played"
    page = site.get(site.turn())
    assert "New City" in page.headings
    letters = site.get(page.link("new=A").partition("#")[0])
    assert "New City A" in letters.headings
    # the towns are light on the board as well, and only they
    towns = [link for link in letters.links if "steps=city+A" in link]
    assert letters.html.count('data-city="A"') == len(towns) > 10
    assert letters.html.count('class="hex end"') * 2 == len(towns)
    # and the goods display says what the New City would grow from
    display = letters.html.partition('id="goods-h"')[2].partition("</section>")[0]
    assert all(f"<td>{letter}</td>" in display for letter in "ABCDEFGH")
    placed = site.get(letters.link("steps=city+A").partition("#")[0])
    assert placed.form.hidden["orders"].startswith("build city A ")
    assert "Build this for $0" in placed.text


def test_a_hex_says_which_sections_end_there_and_which_links_run_through(building: Site) -> None:
    assert "Your section from Duluth ends here, on the NE side." not in building.get(building.turn() + "?hex=D1").text
    steps = building.turn() + "?steps=B1+NE-S"
    ahead, on_it = building.get(f"{steps}&hex=D1").text, building.get(f"{steps}&hex=B1").text
    assert "Your section from Duluth ends here, on the N side." in ahead
    assert "Your unfinished section from Duluth lies here." in on_it
    building.play("build B1 NE-S; D1 N-S")
    assert "runs here: Duluth–Minneapolis." in building.get(building.turn() + "?hex=D1").text


def test_a_build_that_saves_what_would_be_lost_says_so(building: Site) -> None:
    building.play("build B1 NE-S")
    for _ in range(200):
        question = building.asked().sheet.question(building.asked().state)
        if question.form == "build" and question.warnings:
            break
        building.play()
    assert "You lose no section." not in building.get(building.turn()).text
    saved = building.get(building.turn() + "?steps=D1+N-S").text
    assert "Completes Duluth–Minneapolis: +2 points." in saved
    assert "You lose no section." in saved
    assert "You then lose 1 unfinished section." in saved


# deliveries ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def moving(played: Played) -> Site:
    return played("deliver")


def test_the_list_says_who_gains_what_and_its_best_line_is_chosen(moving: Site) -> None:
    view = moving.view()
    page = moving.get(moving.turn())
    best = max(
        view.sheet.question(view.state).choices,
        key=lambda choice: choice.gains.get(view.waiting_for, 0) if isinstance(choice, RouteChoice) else -1,
    )
    assert "Minneapolis to Duluth" in page.text or "Duluth to Minneapolis" in page.text
    chosen = next(c for c in view.sheet.question(view.state).choices if c.order == page.form.fields["orders"])
    assert chosen.gains.get(view.waiting_for, 0) == best.gains.get(view.waiting_for, 0)
    assert 'class="path p1"' in page.html


def test_the_buttons_beside_the_list_win_over_the_chosen_line(moving: Site) -> None:
    page = moving.get(moving.turn())
    assert ("instead", "loco") in page.form.buttons
    moving.press(moving.turn(), orders=page.form.fields["orders"], instead="loco")
    assert moving.view().log[-1].orders == "loco"


def test_a_filter_is_a_form_that_changes_nothing(moving: Site) -> None:
    page = moving.get(moving.turn())
    (search,) = [form for form in page.forms if form.id == "filter"]
    assert search.method == "get"
    nothing = moving.get(moving.turn() + "?colour=white")
    assert "No delivery matches." in nothing.text
    only = page.form.fields["orders"].split()[1]
    assert moving.get(moving.turn() + f"?colour={only}").form.fields["orders"].split()[1] == only


def test_what_is_short_at_the_end_of_the_turn_stands_out(moving: Site) -> None:
    view = moving.view()
    with_less = view.state.with_player(view.waiting_for, cash=0, income=2, shares=3)
    question = view.sheet.question(with_less)
    assert question.stressed == question.lead[-1]
    assert "short" in str(question.stressed)
    assert view.sheet.question(view.state.with_player(view.waiting_for, cash=50)).stressed is None
