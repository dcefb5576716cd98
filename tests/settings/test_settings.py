"""Settings: read once, with one sentence for what cannot be used."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.settings import paths
from pbem.settings.addresses import is_public
from pbem.settings.environment import ALONE, NAMES, OF_TOOLS, BadSetting, surroundings
from pbem.settings.settings import Settings, at_start

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def as_a_host_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing forbids these tests to read the file ``.env`` of their folder."""
    for name in ALONE:
        monkeypatch.delenv(name)


def read(folder: Path, **variables: str) -> Settings:
    return Settings.read({"PBEM_DATA_DIR": str(folder), **{f"PBEM_{name}": value for name, value in variables.items()}})


def test_without_any_variable_everything_is_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings.read({})
    assert settings.data_dir == tmp_path / "var"
    assert settings.database_url == f"sqlite:///{tmp_path}/var/pbem.sqlite"
    assert (settings.broker_url, settings.smtp_url) == ("", "")
    assert settings.public_url == "http://127.0.0.1:8000"


def test_the_secret_key_is_made_once_and_for_us_alone(tmp_path: Path) -> None:
    key = read(tmp_path).secret_key
    assert len(key) >= 40
    assert read(tmp_path).secret_key == key
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert read(tmp_path, SECRET_KEY="another one, given outside").secret_key == "another one, given outside"


def test_the_key_of_push_services_is_made_once_and_for_us_alone(tmp_path: Path) -> None:
    key = read(tmp_path).push_key
    assert re.fullmatch("[A-Za-z0-9_-]{43}", key)
    assert read(tmp_path).push_key == key
    assert stat.S_IMODE((tmp_path / "push_key").stat().st_mode) == 0o600
    given = "A" * 42 + "E"
    assert read(tmp_path, PUSH_KEY=given).push_key == given
    assert key not in repr(read(tmp_path))


@pytest.mark.parametrize("key", ["short", "A" * 43, "_" * 43, "ü" * 43, "A" * 44, "A" * 41 + "+E"])
def test_a_key_of_push_services_that_is_none_is_refused(key: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="PBEM_PUSH_KEY must be 32 bytes in base64url"):
        read(tmp_path, PUSH_KEY=key)
    (tmp_path / "push_key").write_text(key)
    with pytest.raises(BadSetting, match=r"PBEM_PUSH_KEY is not set and .*push_key (holds no key|cannot be read)"):
        read(tmp_path)


def test_what_is_given_is_taken(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        DATABASE_URL="postgres://pbem:p%40ss@db/pbem",
        BROKER_URL="redis://localhost:6379/0",
        SMTP_URL="smtp://me:secret@mail.example.org:587",
        PUBLIC_URL="https://play.example.org/",
        MAIL_FROM="The Club <club@example.org>",
    )
    assert settings.database_url == "postgresql+psycopg://pbem:p%40ss@db/pbem"
    assert settings.public_url == "https://play.example.org"
    assert settings.mail_host == "example.org"


def test_letters_come_back_to_an_address_of_their_own_when_somebody_takes_them_in(tmp_path: Path) -> None:
    assert read(tmp_path, MAIL_FROM="club@example.org").return_path == ""
    taken = read(tmp_path, MAIL_FROM="The Club <club@example.org>", MAILIN_PORT="8025")
    assert (taken.return_path, taken.mailin_host, taken.mailin_port) == ("bounce@example.org", "127.0.0.1", 8025)
    given = read(tmp_path, RETURN_PATH="back@mail.example.org", MAILIN_HOST="0.0.0.0", WEBHOOKS_LOOPBACK="yes")
    assert (given.return_path, given.mailin_host, given.mailin_port) == ("back@mail.example.org", "0.0.0.0", 0)
    assert given.webhooks_loopback
    assert not taken.webhooks_loopback


def test_answers_by_mail_need_an_address_of_their_own(tmp_path: Path) -> None:
    assert read(tmp_path).orders_address == ""
    assert read(tmp_path, ORDERS_ADDRESS="orders@example.org").orders_address == "orders@example.org"
    for wrong in ("orders", "orders+x@example.org", f"{'o' * 21}@example.org", "a b@example.org"):
        with pytest.raises(BadSetting, match="PBEM_ORDERS_ADDRESS"):
            read(tmp_path, ORDERS_ADDRESS=wrong)


def test_who_runs_the_server_is_an_address_as_accounts_keep_it(tmp_path: Path) -> None:
    assert read(tmp_path, OPERATOR="Olga@Example.org").operator == "olga@example.org"
    assert (read(tmp_path).operator, read(tmp_path).metrics_token, read(tmp_path).log) == ("", "", "text")
    assert read(tmp_path, LOG="json").log == "json"


def test_who_runs_the_server_is_told_as_it_was_written(tmp_path: Path) -> None:
    told = read(
        tmp_path, OPERATOR_NAME=" Łódź & friends ", CONTACT="https://example.org/x?y=1", POSTAL_ADDRESS="1 Road"
    )
    assert (told.operator_name, told.contact, told.postal_address) == (
        "Łódź & friends",
        "https://example.org/x?y=1",
        "1 Road",
    )
    assert read(tmp_path, CONTACT="Club@Example.org").contact == "club@example.org"
    bare = read(tmp_path)
    assert (bare.operator_name, bare.contact, bare.postal_address, bare.terms) == ("", "", "", "")
    assert [name for name, value in bare.said_of_operator.items() if not value] == [
        "PBEM_OPERATOR_NAME",
        "PBEM_CONTACT",
    ]


def test_terms_are_read_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "terms.md"
    file.write_bytes("\ufeff# Hausordnung\n".encode())
    assert read(tmp_path, TERMS=str(file)).terms == "# Hausordnung\n"
    file.write_bytes(b"x" * 100_001)
    with pytest.raises(BadSetting, match="PBEM_TERMS names a file with more than 100,000 bytes"):
        read(tmp_path, TERMS=str(file))


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("play.example.org", True), ("8.8.8.8", True), ("localhost", False), ("games.localhost", False),
        ("games", False),
        ("127.0.0.1", False), ("10.0.0.2", False), ("192.168.1.4", False), ("::1", False), ("fd00::1", False),
        ("nas.local", False), ("nas.home.arpa", False),
    ],
)  # fmt: skip
def test_addresses_that_others_can_reach_are_told_from_private_ones(host: str, public: bool) -> None:
    assert is_public(host) is public


def test_old_keys_stand_with_commas_or_stime_controls_between(tmp_path: Path) -> None:
    assert read(tmp_path).old_secret_keys == ()
    known = read(tmp_path, OLD_SECRET_KEYS=" first-key-of-all,second-key-of-all  third-key-of-all ")
    assert known.old_secret_keys == ("first-key-of-all", "second-key-of-all", "third-key-of-all")


def test_limits_are_on_and_no_proxy_is_believed_unless_it_is_said(tmp_path: Path) -> None:
    assert (read(tmp_path).rate_limits, read(tmp_path).proxies) == (True, 0)
    assert (read(tmp_path, RATE_LIMITS="off").rate_limits, read(tmp_path, PROXIES="2").proxies) == (False, 2)


def test_what_is_secret_is_not_in_the_text_of_the_settings(tmp_path: Path) -> None:
    secrets = {
        "DATABASE_URL": "postgresql://pbem:s3cret-of-the-base@db/pbem",
        "BROKER_URL": "redis://:s3cret-of-the-broker@localhost",
        "SMTP_URL": "smtp://me:s3cret-of-the-mail@mail.example.org",
        "IMAP_URL": "imaps://me:s3cret-of-the-mailbox@mail.example.org",
        "SECRET_KEY": "s3cret-of-the-links",
        "OLD_SECRET_KEYS": "s3cret-of-the-links-before",
        "METRICS_TOKEN": "s3cret-of-the-metrics",
    }
    assert "s3cret" not in repr(read(tmp_path, **secrets))


def test_the_data_directory_is_made_for_us_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE(read(tmp_path / "new" / "data").data_dir.stat().st_mode) == 0o700


BAD = {
    "DATABASE_URL": ["not a url", "mysql://localhost/pbem", "sqlite://"],
    "BROKER_URL": ["amqp://localhost"],
    "SMTP_URL": ["mail.example.org", "smtp://mail.example.org:port"],
    "MAILIN_PORT": ["smtp", "0", "65536", "²"],
    "IMAP_URL": [
        "imaps://mail.example.org",
        "pop3://me:secret@mail.example.org",
        "imaps://me:secret@mail.example.org:port",
    ],
    "RETURN_PATH": [
        "bounce",
        "bounce+x@example.org",
        "Bounce <bounce@example.org>",
        "a-very-long-local-part@example.org",
    ],
    "WEBHOOKS_LOOPBACK": ["1"],
    "OPERATOR": ["Olga <olga@example.org>", "olga"],
    "OPERATOR_NAME": ["n" * 301, "two\nlines"],
    "POSTAL_ADDRESS": ["1 Road\r\nTown"],
    "CONTACT": [
        "the club",
        "http://example.org/contact",
        "https://",
        "https://[::1",
        'https://example.org/"><script>',
        "https://example.org/\nExpires: never",
    ],
    "TERMS": ["no/such/file.md", "a\0b", "/"],
    "METRICS_TOKEN": ["short", "sixteen letters and a space"],
    "LOG": ["xml"],
    "OLD_SECRET_KEYS": ["a-key-that-was-long-enough short"],
    "PROXIES": ["-1", "10", "127.0.0.1"],
    "RATE_LIMITS": ["60"],
    "PUBLIC_URL": ["play.example.org", "https://play.example.org/?x=1", "http://[::1"],
    "SECRET_KEY": ["short"],
    "MAIL_FROM": ["nobody", "a@b\r\nBcc: c@d"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_bad_value_is_one_sentence_that_names_the_variable(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(BadSetting) as caught:
        read(tmp_path, **{name: value})
    sentence = str(caught.value)
    assert sentence.startswith(f"PBEM_{name}")
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="PBEM_DATA_DIR"):
        read(tmp_path / "file" / "var")


def test_an_empty_key_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(BadSetting, match="PBEM_SECRET_KEY"):
        read(tmp_path)


def test_the_example_lists_every_variable() -> None:
    source = (ROOT / "pbem" / "settings" / "settings.py").read_text()
    example = (ROOT / ".env.example").read_text()
    assert set(re.findall(r'\bof\("(PBEM_\w+)"\)', source)) == set(NAMES)
    assert set(re.findall(r"^(PBEM_\w+)=", example, re.MULTILINE)) == set(NAMES)


def test_what_the_environment_lacks_stands_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMTP_URL", "smtp://outside")
    monkeypatch.setenv("PBEM_BROKER_URL", "")
    monkeypatch.delenv("PBEM_PUBLIC_URL")
    monkeypatch.delenv("PBEM_MAIL_FROM")
    (tmp_path / ".env").write_text(
        "# ours\nPBEM_SMTP_URL=smtp://file\nPBEM_BROKER_URL=redis://file\n\n"
        'export PBEM_PUBLIC_URL=https://file.example.org\nPBEM_MAIL_FROM="The Club <club@example.org>"\nOTHER=x\n'
    )
    found = surroundings(tmp_path)
    assert found["PBEM_SMTP_URL"] == "smtp://outside"
    assert found["PBEM_BROKER_URL"] == "redis://file", (
        "an empty variable is none: compose files set every one they know"
    )
    assert found["PBEM_PUBLIC_URL"] == "https://file.example.org"
    assert found["PBEM_MAIL_FROM"] == "The Club <club@example.org>"


def test_what_compose_leaves_empty_stands_in_the_volume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in sorted((ROOT / "deploy" / "compose").glob("*.yaml")):
        handed_on = re.findall(r"^ +(PBEM_\w+): \$\{\1\}$", file.read_text("utf-8"), re.MULTILINE)
        assert "PBEM_SMTP_URL" in handed_on
        for name in handed_on:
            monkeypatch.setenv(name, "")
        (tmp_path / ".env").write_text("".join(f"{name}=of-the-file\n" for name in handed_on))
        assert {surroundings(tmp_path)[name] for name in handed_on} == {"of-the-file"}


def test_a_process_that_pbem_starts_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("PBEM_SMTP_URL=smtp://file\n")
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    assert surroundings(tmp_path)["PBEM_SMTP_URL"] == ""


def test_the_example_can_be_copied_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes((ROOT / ".env.example").read_bytes())
    assert Settings.read(surroundings()) == Settings.read({})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "PBEM_SMPT_URL=smtp://x",
            "Line 2 of .env sets PBEM_SMPT_URL, which is not a variable of pbem; PBEM_SMTP_URL is.",
        ),
        ("PBEM_COLOUR=red", "Line 2 of .env sets PBEM_COLOUR, which is not a variable of pbem[.]$"),
        ("PBEM_" + "X" * 9_000 + "=1", f"Line 2 of .env sets PBEM_{'X' * 55}, which is not a variable"),
        ("hello", "Line 2 of .env cannot be read; expected NAME=value"),
        ('PBEM_MAIL_FROM="open', "Line 2 of .env cannot be read"),
    ],
)
def test_a_line_that_cannot_be_used_is_told(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / ".env").write_text(f"# ours\n{line}\n")
    with pytest.raises(BadSetting, match=told):
        surroundings(tmp_path)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    with pytest.raises(BadSetting, match="cannot be read"):
        surroundings(tmp_path)


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("PBEM_SMPT_URL", "PBEM_SMTP_URL"),
        ("PBEM_PUBLIC_URI", "PBEM_PUBLIC_URL"),
        ("PBEM_DATABASE", "PBEM_DATABASE_URL"),
        ("PBEM_OLD_SECRET_KEY", "PBEM_OLD_SECRET_KEYS"),
        ("PBEM_PROXY", "PBEM_PROXIES"),
    ],
)
def test_a_misspelt_name_in_the_environment_ends_the_start_and_the_right_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, misspelt: str, meant: str
) -> None:
    monkeypatch.setenv(misspelt, "x")
    with pytest.raises(
        BadSetting, match=f"^The environment sets {misspelt}, which is not a variable of pbem; {meant} is.$"
    ):
        surroundings(tmp_path)


def test_a_strange_name_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kubernetes sets such names for every service that is called pbem; make and the tests have some of their own."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_PORT_8000_TCP_ADDR", "10.0.0.1")
    for name in OF_TOOLS:
        monkeypatch.setenv(name, "all")
    at_start()
    assert capsys.readouterr().err == "pbem: PBEM_PORT_8000_TCP_ADDR is not a variable of pbem and is ignored.\n"


def test_an_operator_on_the_machine_itself_is_known_to_every_command(tmp_path: Path) -> None:
    """Each in a process of its own: what one of them has loaded must not decide for it."""
    environ = {**os.environ, "PBEM_OPERATOR": "root@localhost", "PBEM_DATA_DIR": str(tmp_path)}
    for command in (["-m", "pbem", "migrate"], ["-c", "from pbem.settings.settings import at_start; at_start()"]):
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_checkout_has_its_templates_beside_the_package() -> None:
    assert (paths.templates_folder() / "mail" / "your-turn" / "body.txt").is_file()


def test_an_installed_package_has_them_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pbem" / "templates").mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "pbem" / "settings" / "paths.py"))
    assert paths.templates_folder() == tmp_path / "pbem" / "templates"


def test_without_any_the_error_says_where_it_looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "pbem" / "settings" / "paths.py"))
    with pytest.raises(FileNotFoundError, match="no templates beside"):
        paths.templates_folder()
