"""``deploy/`` and ``docs/hosting.md``: units run what the Procfile names, logs of proxies hold no token."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import pytest

from pbem.settings import Settings
from tests.web.addresses import Known
from tests.web.conftest import Games

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")
EXPANDED = re.compile(r"\$\{(\w+)(?::-[^}]*)?\}")
PROCESSES = {"web": "pbem-web", "worker": "pbem-worker@", "clock": "pbem-clock", "mailin": "pbem-mailin",
             "release": "pbem-release"}  # fmt: skip


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
    assert {path.stem for path in UNITS.glob("*.service")} == set(PROCESSES.values())


@pytest.mark.parametrize("process", PROCESSES)
def test_a_unit_runs_what_the_procfile_names(process: str) -> None:
    started = unit(UNITS / f"{PROCESSES[process]}.service")["ExecStart"]
    assert started.startswith("/opt/pbem/venv/bin/")
    assert EXPANDED.sub(r"\1", started.removeprefix("/opt/pbem/venv/bin/")) == EXPANDED.sub(r"\1", commands()[process])


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
    for started in re.findall(r"systemctl (?:start|enable --now) (.*)", HOSTING):
        for name in started.split():
            assert (UNITS / f"{re.sub('@.*', '@', name)}.service").exists()
