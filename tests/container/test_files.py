"""The Containerfile and the compose files, as far as that can be seen without building anything."""

import ast
import importlib.util
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from pbem.settings.environment import NAMES
from tests.container.images import ROOT, services

COMPOSE = ROOT / "deploy" / "compose"
PROCFILE = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text("utf-8").splitlines())


@pytest.mark.parametrize("file", sorted(COMPOSE.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_service_of_ours_runs_as_confined_as_the_image_allows(file: Path) -> None:
    ours = services(file)
    assert ours
    for name, service in ours.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["volumes"] == ["data:/data"], name
        assert service["tmpfs"] == ["/tmp"], name
        assert (ROOT / "deploy" / "compose" / service["build"]["context"] / "Containerfile").is_file()
        assert set(service["environment"]) <= set(NAMES), name


def test_with_several_processes_each_of_the_procfile_is_a_service() -> None:
    ours = services(COMPOSE / "several.yaml")
    assert {service["command"][0] for service in ours.values()} == set(PROCFILE)
    assert set(ours) == set(PROCFILE)
    assert "command" not in services(COMPOSE / "one-host.yaml")["pbem"]


def test_what_a_compose_file_mounts_is_there() -> None:
    for file in COMPOSE.glob("*.yaml"):
        whole = yaml.safe_load(file.read_text("utf-8"))
        mounts = [mount.split(":")[0] for service in whole["services"].values() for mount in service.get("volumes", [])]
        for mount in mounts:
            assert mount in whole["volumes"] or (COMPOSE / mount).exists(), mount


@pytest.mark.parametrize("process", [*PROCFILE, "serve", "pbem"])
def test_the_entry_point_runs_what_the_procfile_names(process: str, tmp_path: Path) -> None:
    script = (ROOT / "deploy" / "container" / "run").read_text("utf-8")
    script = script.replace("/opt/pbem/Procfile", str(ROOT / "Procfile")).replace("exec ", "echo ")
    words = ["/bin/sh", "-c", script.replace('eval "echo $command"', 'echo "$command"; exit'), "run", process, "--x"]
    environ = {"BIND": "0.0.0.0", "PORT": "8000", "PATH": "/usr/bin:/bin"}
    said = subprocess.run(words, env=environ, capture_output=True, text=True, check=True).stdout
    wanted = (
        PROCFILE.get(process) or {"serve": "pbem serve --host 0.0.0.0 --port 8000 --x", "pbem": "pbem --x"}[process]
    )
    assert said.splitlines()[0] == wanted


def test_without_words_the_entry_point_serves() -> None:
    script = (ROOT / "deploy" / "container" / "run").read_text("utf-8").replace("exec ", "echo ")
    environ = {"BIND": "0.0.0.0", "PORT": "8000", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["/bin/sh", "-c", script, "run"], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[0].strip() == "pbem serve --host 0.0.0.0 --port 8000"


def test_the_image_is_made_of_what_the_wheel_is_and_runs_as_nobody() -> None:
    written = (ROOT / "Containerfile").read_text("utf-8")
    assert re.search(r"^USER 10001:10001$", written, re.MULTILINE)
    assert re.findall(r"^VOLUME (.*)$", written, re.MULTILINE) == ['["/data"]']
    assert written.count("FROM ${BASE}") == 2
    sent = (ROOT / ".containerignore").read_text("utf-8")
    assert sent == (ROOT / ".dockerignore").read_text("utf-8"), "builders read the one or the other"
    wheel = re.search(r"^only-include = \[(.*)\]$", (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert wheel is not None
    for name in re.findall(r'"([^"]+)"', wheel[1]):
        assert f"!{name}\n" in sent, name


def test_what_the_image_compiles_ahead_exists() -> None:
    script = ast.parse((ROOT / "deploy" / "container" / "slim.py").read_text("utf-8"))
    given = {
        target.id: node.value
        for node in script.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    loaded: tuple[str, ...] = ast.literal_eval(given["LOADED"])
    assert loaded
    assert [name for name in loaded if importlib.util.find_spec(name) is None] == []
