"""``deploy/`` and ``docs/hosting.md``: units run what the Procfile names, logs of proxies hold no token."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.runtime.server import migrate
from pbem.settings.settings import Settings
from pbem.web.base.headers import FEEDS, PRIVATE
from tests.web.addresses import Known
from tests.web.conftest import Games

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")
EXPANDED = re.compile(r"\$\{(\w+)(?::-[^}]*)?\}")
PROCESSES = {"web": "pbem-web", "worker": "pbem-worker@", "clock": "pbem-clock", "mailin": "pbem-mailin",
             "release": "pbem-release", "robots": "pbem-robots"}  # fmt: skip
TIMED = {"pbem-backup"}
EXPOSED = 12
"""The most that ``systemd-analyze security`` may say, times ten: as measured with systemd 252. 100 is the worst."""


def unit(path: Path) -> configparser.SectionProxy:
    """The section ``[Service]``; of settings that may stand more than once the last."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # case counts
    parser.read_string(path.read_text("utf-8"))
    return parser["Service"]


def commands() -> dict[str, str]:
    lines = (ROOT / "Procfile").read_text("utf-8").splitlines()
    return {name: command for name, _, command in (line.partition(": ") for line in lines)}


def test_every_process_of_the_procfile_has_its_unit() -> None:
    assert set(commands()) == set(PROCESSES)
    assert {path.stem for path in UNITS.glob("*.service")} == set(PROCESSES.values()) | TIMED
    assert {path.stem for path in UNITS.glob("*.timer")} == TIMED


@pytest.mark.parametrize("process", PROCESSES)
def test_a_unit_runs_what_the_procfile_names(process: str) -> None:
    service = unit(UNITS / f"{PROCESSES[process]}.service")
    started, nice = service["ExecStart"], service.get("Nice", "")
    assert started.startswith("/opt/pbem/venv/bin/")
    command = commands()[process].removeprefix(f"nice -n {nice} ")
    assert EXPANDED.sub(r"\1", started.removeprefix("/opt/pbem/venv/bin/")) == EXPANDED.sub(r"\1", command)


def test_the_web_of_units_and_procfile_listens_to_this_machine_unless_told() -> None:
    assert "--bind ${BIND:-127.0.0.1}:${PORT:-8000}" in commands()["web"]
    assert "BIND=127.0.0.1 PORT=8000" in unit(UNITS / "pbem-web.service")["Environment"]


def test_processes_may_write_to_their_data_alone_and_get_no_rights() -> None:
    common = unit(UNITS / "pbem-.service.d" / "common.conf")
    wanted = {
        "User": "pbem", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes",
        "CapabilityBoundingSet": "", "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX", "UMask": "0077",
        "StateDirectory": "pbem", "EnvironmentFile": "/etc/pbem.env",
    }  # fmt: skip
    assert {name: common[name] for name in wanted} == wanted
    assert "ReadWritePaths" not in common


def test_no_access_log_of_the_example_for_nginx_holds_a_token(tmp_path: Path) -> None:
    site = Games(tmp_path).at("started")
    known = Known(site)
    block = re.search(r"map \$uri \$pbem_shown \{(.*?)\n\}", NGINX, re.DOTALL)
    assert block is not None
    patterns = [pattern.replace("?<", "?P<") for pattern in re.findall(r'"~(\S+)"', block[1])]
    masked = 0
    for rule, path in (*known.paths("GET"), *known.paths("POST")):
        hidden = any(re.search(pattern, path) for pattern in patterns)
        assert hidden or "token" not in rule, rule
        masked += hidden
    assert masked > 20
    log_format = re.search(r"log_format pbem (.*?);", NGINX, re.DOTALL)
    assert log_format is not None
    assert "$request_method $pbem_shown" in log_format[1]
    assert not re.search(r"\$(request|request_uri|args|uri|http_\w+|query_string)\b", log_format[1])
    site.close()


@pytest.mark.parametrize(
    ("page", "begins", "ends"),
    [("hosting.md", "keep addresses out of its access log", ".\n"), ("security.md", "| links `", "|")],
)
def test_pages_list_every_address_with_a_token(page: str, begins: str, ends: str) -> None:
    """``tests/web/base/test_headers.py`` compares the list of the code with the addresses there are."""
    text = (ROOT / "docs" / page).read_text("utf-8").partition(begins)[2].partition(ends)[0]
    assert sorted(re.findall(r"(?<![\w)])/[\w/]+/(?![\w.])", text)) == sorted((*PRIVATE, FEEDS))


def test_the_variables_of_the_page_are_taken(tmp_path: Path) -> None:
    block = HOSTING.partition("cat > /etc/pbem.env <<END\n")[2].partition("    END\n")[0]
    lines = dict(line.strip().partition("=")[::2] for line in block.splitlines())
    environ = {name: re.sub(r"\$\(.*\)|\$\w+", "0123456789abcdef", value).strip('"') for name, value in lines.items()}
    settings = Settings.read(environ | {"PBEM_DATA_DIR": str(tmp_path)})
    assert (settings.proxies, settings.mail_from) == (1, "pbem <games@example.org>")
    assert settings.database_url == "postgresql+psycopg://pbem:0123456789abcdef@localhost/pbem"


def test_the_page_names_the_files_and_units_there_are() -> None:
    for name in ("deploy/nginx.conf", "deploy/Caddyfile", "deploy/systemd"):
        assert name in HOSTING
        assert (ROOT / name).exists()
    for started in re.findall(r"systemctl (?:start|enable --now) ([\w@. -]+)", HOSTING):
        for name in started.split():
            file = name if name.endswith(".timer") else f"{re.sub('@.*', '@', name)}.service"
            assert (UNITS / file).exists()


def test_who_follows_the_page_starts_every_process() -> None:
    """Without ``mailin`` bounces and replies are waiting for ever, and nothing says so."""
    going_on = set(commands()) - {"release"}
    (honcho,) = re.findall(r"honcho --env \S+ start --port \d+ (.+)", HOSTING)
    assert set(honcho.split()) == going_on
    enabled, *_ = re.findall(r"systemctl enable --now (.+)", HOSTING)
    units = {re.sub("@.*", "@", name) for name in enabled.split()} - {f"{name}.timer" for name in TIMED}
    assert units == {PROCESSES[process] for process in going_on}


def test_where_mail_comes_in_the_page_names_the_unit_and_the_service() -> None:
    for heading in ("Bounces", "A mailbox"):
        text = HOSTING.partition(f"### {heading}\n")[2].partition("\n##")[0]
        assert "`pbem-mailin`" in text
        assert "service `mailin`" in text


@pytest.fixture
def served(tmp_path: Path) -> dict[str, str]:
    """A server with tables, its settings in a file; what of the documented commands is elsewhere here."""
    data, made = tmp_path / "var", tmp_path / "backups"
    made.mkdir()
    environ = {"PBEM_DATA_DIR": str(data), "PBEM_SECRET_KEY": "a key that only tests know"}
    migrate(Settings.read(environ))
    (tmp_path / "pbem.env").write_text("".join(f'{name}="{value}"\n' for name, value in environ.items()))
    return {
        "/etc/pbem.env": str(tmp_path / "pbem.env"),
        "/opt/pbem/venv/bin/pbem": str(Path(sys.executable).with_name("pbem")),
        "/var/lib/pbem/backups": str(made),
        "/backups": str(made),
    }


def run_here(command: str, elsewhere: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """As cron and systemd run it: by sh, in a folder that has nothing to do with the server, with nothing set."""
    command = re.sub("|".join(elsewhere), lambda found: elsewhere[found[0]], command)
    folder = Path(elsewhere["/backups"])
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(["/bin/sh", "-c", command], cwd="/", env=bare, capture_output=True, text=True, check=False)


def backups(elsewhere: dict[str, str]) -> str:
    """The name of the only file there is."""
    (made,) = Path(elsewhere["/backups"]).iterdir()
    return made.name


def test_the_line_for_cron_makes_a_backup_with_the_settings_of_the_service(served: dict[str, str]) -> None:
    line = re.search(r"^    17 \* \* \* \*  (.*)$", HOSTING, re.MULTILINE)
    assert line is not None
    done = run_here(line[1].replace(r"\%", "%"), served)  # in a crontab % ends the command
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"pbem-\d\d\.backup", backups(served))


def test_the_unit_for_backups_makes_one_and_its_timer_is_enabled(served: dict[str, str]) -> None:
    started = unit(UNITS / "pbem-backup.service")["ExecStart"]
    shell = re.fullmatch(r"/bin/sh -c '(.*)'", started)
    assert shell is not None
    command = shell[1].replace("%%", "%").replace("$$", "$")
    done = run_here(f"set -a; . /etc/pbem.env; {command}", served)  # the settings are the EnvironmentFile of all units
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"pbem-\d\d\.backup", backups(served))
    assert "pbem-backup.timer" in HOSTING.partition("systemctl enable --now ")[2].partition("\n")[0]


def test_systemd_takes_every_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze on the PATH")
    shutil.copytree(UNITS, tmp_path / "units")
    found = [path for path in sorted((tmp_path / "units").iterdir()) if path.is_file()]
    for path in found:  # the programs of the service are not on this machine
        path.write_text(path.read_text().replace("/opt/pbem/venv/bin/", "/usr/bin/env "))
    units = [str(path) for path in found if "@" not in path.name]
    done = subprocess.run([program, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "pbem" in line]
    assert ours == []
    assert len(units) >= 6


def test_systemd_calls_every_unit_well_confined() -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze on the PATH")
    services = [str(path) for path in sorted(UNITS.glob("*.service"))]
    words = [program, "security", "--offline=yes", "--no-pager", f"--threshold={EXPOSED}", *services]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, re.findall(r"→ .*", done.stdout)
    assert len(re.findall(r"→ Overall exposure level", done.stdout)) == len(services)
