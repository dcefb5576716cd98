"""``make mutants`` plants what it should, and every entry of its list is still of use."""

import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutants import boards, planting
from tests.mutants.__main__ import changes
from tests.mutants.groups import GROUPS, Group
from tests.mutants.planted import Loaded
from tests.mutants.planting import Change
from tests.mutants.running import NOTICED, SURVIVED, Job, Said, in_forks
from tests.mutants.tally import Listing


def planted(source: str) -> set[str]:
    return {change.now for change in planting.changes_of("some.py", dedent(source))}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("price = 10", {"price = 11"}),
        ("open = True", {"open = False"}),
        ("rest = seats[1:]", {"rest = seats[0:]"}),
        ("least = a <= b", {"least = a < b"}),
        ("same = a == b", {"same = a != b"}),
        ("both = a and b", {"both = (a or b)"}),
        ("out = not a", {"out = (a)"}),
        ('own = options.get("easy")', {'own = options.get("easyx")'}),
        ("found = [a for a in b if a]", {"found = [a for a in b if True]", "found = [a for a in b if False]"}),
        ("one = a if b is None else c", {"one = a if True else c", "one = a if False else c"}),
        ("if a > b: pass", {"if True: pass", "if False: pass", "if a >= b: pass"}),
    ],
)
def test_a_change_is_planted_at_every_constant_and_condition(line: str, expected: set[str]) -> None:
    assert planted(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        '"""Says 3 things."""',
        "import os",
        "limit: Annotated[int, 3]",
        "assert a > 3",
        'if a > 3: raise AssertionError("an error of ours")',
        "pairs = zip(a, b, strict=True)",
        'words = say("You have {n} left.")',
        "@dataclass(frozen=True)\nclass Some: pass",
    ],
)
def test_words_annotations_and_assertions_are_left_alone(line: str) -> None:
    assert planted(line) == set()


def test_a_refusal_is_left_out_once() -> None:
    assert 'return refuse("R1", "No.")' not in planted('def refuse_it():\n    return refuse("R1", "No.")')
    assert planted('def refuse_it():\n    return refuse("R1", "No.")') == {"return None"}


def test_lines_below_a_change_stay_where_they_are() -> None:
    source = "price = max(\n    1 if a\n    and b else 2,\n    3,\n)\nnow = 4\n"
    for change in planting.changes_of("some.py", source):
        assert len(change.source.splitlines()) == len(source.splitlines())
        assert change.source.splitlines()[5].startswith("now = ")


def test_what_is_printed_is_changed_value_by_value() -> None:
    city = '"To Paris" = { hex = "K0", colours = ["red"], cubes = 2 }'
    source = f'name = "Here"\nsketch = """\n.   ^\n  =\n"""\n[cities]\n{city}\n'
    assert [change.now for change in boards.changes_of("maps/here/board.toml", source)] == [
        "~   ^",
        '"To Paris" = { hex = "K2", colours = ["red"], cubes = 2 }',
        '"To Paris" = { hex = "K0", colours = ["blue"], cubes = 2 }',
        '"To Paris" = { hex = "K0", colours = ["red"], cubes = 3 }',
    ]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_every_entry_of_the_list_is_a_change_that_is_still_planted(group: Group) -> None:
    listing = Listing.kept()
    paths = set(group.paths())
    assert [entry for entry in listing.stale(changes(group)) if entry.partition(":")[0] in paths] == []


def test_the_list_names_files_that_are_changed_and_says_why() -> None:
    listing = Listing.kept()
    paths = {path for group in GROUPS for path in group.paths()}
    assert listing.paths() <= paths
    assert listing.unexplained() == []


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_every_named_file_and_folder_of_a_group_is_there(group: Group) -> None:
    assert [pattern for pattern in group.files if not list(Path().glob(pattern))] == []
    assert [entry for entry in group.tests if not Path(entry).exists()] == []


def more(number: int) -> int:
    return number + 1


def test_a_change_is_put_into_a_function_that_is_loaded_and_a_red_test_is_told() -> None:
    path = Path(__file__).relative_to(Path.cwd())
    found = planting.changes_of(str(path), path.read_text("utf-8"))
    change = next(change for change in found if change.scope == "more")
    loaded = Loaded()

    def do(job: Job, say: Said, folder: str) -> None:
        if job.change is not None:
            assert loaded.plant(job.change)
        if more(1) != 2:
            say(NOTICED, "more")

    jobs = [Job(change, (), ()), Job(None, (), ())]
    outcomes = {outcome.job.change: (outcome.verdict, outcome.by) for outcome in in_forks(jobs, 1, do)}
    assert outcomes == {change: (NOTICED, "more"), None: (SURVIVED, "")}
    assert more(1) == 2


def test_what_never_ends_is_noticed() -> None:
    def do(job: Job, say: Said, folder: str) -> None:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, 0.1)
        while True:
            pass

    (outcome,) = in_forks([Job(None, (), ())], 1, do)
    assert outcome.verdict == NOTICED


def test_a_change_that_is_no_python_is_not_taken_for_noticed() -> None:
    broken = Change("some.py", 1, 1, "a", "a a", "a a", None, None)

    def do(job: Job, say: Said, folder: str) -> None:
        broken.compiled()

    (outcome,) = in_forks([Job(broken, (), ())], 1, do)
    assert outcome.verdict == "broken"


SAMPLE = 300


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_of_a_sample_enough_changes_are_noticed(group: Group) -> None:
    words = ["--group", group.name, "--count", str(SAMPLE), "--seed", "1"]
    done = subprocess.run([sys.executable, "-m", "tests.mutants", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
