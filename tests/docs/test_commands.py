"""Every command of the documents is run by a test, or stands here with the reason why none can."""

import ast
import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from pbem import cli

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NO_COMMANDS = {"orders.md", "dice.md"}
"""Pages whose indented lines are orders and formulas; tests/docs has a test of each."""
NOT_TYPED = re.compile(
    r"(?:export )?[A-Z_]+=|\w+ = |\S+\.\s+(?:TXT|MX)\s|\S+@\S+\s+smtp:|\[\[|work\.|(?:ok|FAIL|WARN)  ?|[A-Z][a-z]* ",
)
"""Settings, lines of files for mail servers and the DNS, Python, and what a command prints."""
RUN = {
    "pbem backup": "tests/cli/test_backup_commands.py",
    "pbem restore": "tests/cli/test_backup_commands.py",
    "pbem doctor": "tests/cli/test_office_commands.py",
    "pbem doctor --mail": "tests/cli/test_doctor_mail.py",
    "pbem unstick": "tests/cli/test_office_commands.py",
    "pbem recheck": "tests/cli/test_office_commands.py",
    "pbem match": "tests/cli/test_command.py",
    "pbem review": "tests/robot/test_review.py",
    "pbem import": "tests/cli/test_office_commands.py",
    "pbem ratings": "tests/cli/test_office_commands.py",
    "pbem site": "tests/web/interfaces/test_sites.py",
    "pbem maps": "tests/adding/test_a_map.py",
    "pbem play": "tests/adding/test_a_map.py",
    "pbem play age-of-steam rust_belt": "tests/cli/test_command.py",
    "pbem draw": "tests/adding/test_a_map.py",
    "pbem map": "tests/cli/test_map.py",
    "pbem map show": "tests/cli/test_own_maps_of_a_server.py",
    "pbem map withdraw": "tests/cli/test_own_maps_of_a_server.py",
    "pbem verify": "tests/cli/test_own_maps.py",
    "podman build": "tests/container/test_running.py",
    "podman run": "tests/container/test_running.py",
    "17": "tests/docs/test_deploy.py",
    "echo": "tests/docs/test_two_machines.py",
    "sed": "tests/docs/test_two_machines.py",
    "make serve": "tests/runtime/test_ended_from_outside.py",
}
"""How a command begins, and a test that runs it."""
FROM_PAGE = ("    ", "^    ", "sed ")
"""How patterns begin by which a test takes commands from the page itself."""
AT_LEAST = {
    "map": ["check", "-"],
    "import": ["-"],
    "verify": ["-"],
    "restore": ["-"],
    "site": ["-"],
    "review": ["-"],
    "match": ["-", "-", "--seats", "-"],
    "play": ["-", "-"],
}
"""Arguments without which a command is not understood."""
ROOT_OF_A_MACHINE = "It changes the machine, as root; .ci/run has none that it may change."
THE_TESTS = "It runs these tests."
HOURS = "It takes minutes to hours of a machine without other work; tests run its parts with a small number."
NOT_RUN = {
    "apt install": ROOT_OF_A_MACHINE,
    "adduser": ROOT_OF_A_MACHINE,
    "install": ROOT_OF_A_MACHINE,
    "cp -r deploy/systemd/.": ROOT_OF_A_MACHINE,
    "cat > /etc/pbem.env": ROOT_OF_A_MACHINE,
    "cd": ROOT_OF_A_MACHINE,
    "systemctl": "No systemd runs where the tests do; test_deploy.py has it judge the units named here.",
    "runuser": ROOT_OF_A_MACHINE,
    "set -a; . /etc/pbem.env; set +a; runuser": ROOT_OF_A_MACHINE,
    "password=": "It only fills the variable of the next line.",
    "word=": "It only fills the variable of the next line.",
    "ssh": "There is no second machine; test_two_machines.py runs its sed.",
    "git clone": "The address is the reader's.",
    "git switch": "It would change the sources under the tests.",
    "python3 -m venv": "`make` and .ci/run set up an environment in the same way.",
    "/opt/pbem/venv/bin/pip install": "It needs the network; .ci/run installs locked wheels in this way.",
    "pipx run": "It needs the network; tests/packaging installs and runs the wheel.",
    "docker compose": "No Docker runs where the tests do; tests/container plays through the services of both files.",
    "cp .env.example .env": "tests/settings reads that file as it is.",
    "make test": THE_TESTS,
    "make quick": THE_TESTS,
    "make demo": "It takes a minute; tests/demo plays a shorter one.",
    "make messages": "It writes catalogues; tests/language compares them with the sentences there are.",
    "make mutants": HOURS,
    "make storm": HOURS,
    "make bench": HOURS,
    "make profile": HOURS,
    ".venv/bin/python -m bench": HOURS,
    "python -m bench.review": HOURS,
    "python -m bench.beside": HOURS,
    "python -m bench.planted": HOURS,
    ".venv/bin/python -m tests.mutants": HOURS,
    ".venv/bin/python -m pytest": THE_TESTS,
    ".venv/bin/python -m tests.messages": "It writes catalogues; tests/language/test_messages.py calls what it calls.",
    "python -m tests.stored_states.write": "It writes what must never be rewritten; a test asks it what is lacking.",
    "python -m tests.playthroughs.record": "It records games again; tests/playthroughs replays what it recorded.",
}
"""How a command begins, and why no test runs it."""


def typed(page: Path) -> Iterator[str]:
    """What a page tells to type into a terminal: its indented lines, without remarks and what is no command."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(<<END)\n.*?^    END$", r"\1", text, flags=re.MULTILINE | re.DOTALL)
    for line in re.findall(r"^    (\S.*)$", text, re.MULTILINE):
        if not NOT_TYPED.match(line):
            yield re.sub(r"\s+#\s.*", "", line.removeprefix("$ "))


COMMANDS = sorted({line for page in PAGES if page.name not in NO_COMMANDS for line in typed(page)})


def beginning(command: str) -> str:
    """The longest of the two lists with which a command begins."""
    return max((known for known in {**RUN, **NOT_RUN} if command.startswith(known)), key=len, default="")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_run_by_a_test_or_has_a_reason(command: str) -> None:
    assert beginning(command)


def test_no_entry_is_left_over() -> None:
    assert {beginning(command) for command in COMMANDS} == {*RUN, *NOT_RUN}
    assert not RUN.keys() & NOT_RUN.keys()


def named_test(command: str) -> ast.Module:
    return ast.parse((ROOT / RUN[beginning(command)]).read_text("utf-8"))


def taken_from_the_page(command: str) -> bool:
    """Whether the test reads the line itself from the page: one of its patterns finds it there."""
    for node in ast.walk(named_test(command)):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        pattern = "".join(str(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts)
        if pattern.startswith(FROM_PAGE) and re.search(pattern, f"    {command}", re.MULTILINE):
            return True
    return False


def given(words: list[str]) -> set[str] | None:
    """Which arguments a call of ``pbem`` gives, whatever their values; ``None`` where it is not understood."""
    understands = cli.parser(words[0]).parse_args
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            found, least = vars(understands(words)), vars(understands(words[:1] + AT_LEAST.get(words[0], [])))
    except SystemExit:
        return None
    return {name for name, value in found.items() if value != least[name]}


def called(command: str) -> Iterator[list[str]]:
    """The words of every call in the named test that begins like the command; ``1`` stands for what is computed."""
    first = shlex.split(command)[1]
    for node in ast.walk(named_test(command)):
        found = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
        words = [word for word in found if not isinstance(word, ast.Starred)]
        texts = [str(word.value) if isinstance(word, ast.Constant) else "1" for word in words]
        if first in texts:
            yield texts[texts.index(first) :]


@pytest.mark.parametrize("command", [line for line in COMMANDS if beginning(line) in RUN])
def test_the_named_test_runs_the_command_with_these_arguments(command: str) -> None:
    if taken_from_the_page(command):
        return
    program, *words = shlex.split(command)
    calls = list(called(command))
    if program == "pbem":
        wanted, made = given(words) or set(), [found for call in calls if (found := given(call)) is not None]
        assert wanted in made or any(wanted and wanted < more for more in made), calls
    else:
        assert words in [call[: len(words)] for call in calls]


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.startswith("pbem ")])
def test_pbem_understands_what_stands_behind_it(command: str) -> None:
    words = shlex.split(command)[1:]
    assert cli.parser(words[0]).parse_args(words)


INLINE = sorted(
    {
        found
        for page in PAGES
        for found in re.findall(r"`((?:pbem|make|python -m) [^`\n]+)`", page.read_text("utf-8"))
        if "|" not in found
    }
)
"""Commands within sentences."""
PROCESSES = {"web", "worker", "robots", "clock", "mailin"}
"""What `ps` calls the processes of a server, by ``pbem`` and one of these words."""


@pytest.mark.parametrize("command", [*COMMANDS, *INLINE])
def test_commands_targets_and_modules_exist(command: str) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    program, *words = command.split()
    if program == "pbem" and not words[0].startswith("-"):
        assert words[0] in cli.names() or words in ([process] for process in PROCESSES)
    if program == "make":
        assert words[0] in targets
    if program.endswith("python"):
        assert find_spec(words[1])
