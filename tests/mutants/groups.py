"""What is changed, and the tests that may notice."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Group:
    """Files to be changed, folders and files of tests, and the least share of changes to be noticed, in percent.

    ``leaves_out``: tests that start processes of their own, which a change in this process does not reach, and tests
    whose ids hold these words.
    """

    name: str
    files: Sequence[str]
    tests: Sequence[str]
    limit: float
    leaves_out: Sequence[str] = ()

    def paths(self) -> list[str]:
        """Every file of the group, sorted."""
        found = {str(path) for pattern in self.files for path in Path().glob(pattern) if path.is_file()}
        return sorted(path for path in found if not path.endswith("__init__.py") or "phases" in path)

    def test_files(self) -> list[str]:
        """Every file of tests of the group, sorted."""
        folders = [Path(entry) for entry in self.tests]
        found = [path for folder in folders for path in ([folder] if folder.suffix else folder.rglob("test_*.py"))]
        return sorted(str(path) for path in found if not any(word in str(path) for word in self.leaves_out))


RULES = Group(
    name="rules",
    files=("maps/*.toml", "maps/*/*.toml", "maps/*/*.py", "pbem/age_of_steam/**/*.py", "pbem/steam_power/**/*.py"),
    tests=(
        "tests/age_of_steam",
        "tests/engine",
        "tests/mail",
        "tests/maps",
        "tests/playthroughs",
        "tests/rails",
        "tests/render",
        "tests/robot",
        "tests/steam_power",
        "tests/stored_states",
        "tests/every_map/test_declining.py",
        "tests/docs/test_orders.py",
        "tests/docs/test_rulings.py",
        "tests/docs/test_steam_power.py",
    ),
    limit=95,
    leaves_out=(
        "test_hostile.py",
        "test_reply.py",
        "test_returned.py",
        "test_the_lists_agree_with_the_oracle[1]",
        "test_the_lists_agree_with_the_oracle[2]",
        "test_the_lists_agree_with_the_oracle[3]",
    ),
)
KEEPING = Group(
    name="keeping",
    files=(
        "pbem/service/people/bounces.py",
        "pbem/service/base/*.py",
        "pbem/service/clocks/*.py",
        "pbem/service/letters/kinds/*.py",
        "pbem/service/letter_views/correspondence.py",
        "pbem/service/letters/*.py",
        "pbem/service/operator/due.py",
        "pbem/service/games/ending.py",
        "pbem/service/games/members.py",
        "pbem/service/orders/submissions.py",
        "pbem/service/games/takeback.py",
        "pbem/service/turns/audit_log.py",
        "pbem/service/turns/entries.py",
        "pbem/service/turns/outages.py",
        "pbem/service/turns/restored.py",
        "pbem/service/turns/standing_orders.py",
        "pbem/service/turns/stuck.py",
        "pbem/store/*.py",
        "pbem/store/time_controls.py",
        "workers/clock.py",
        "workers/work.py",
    ),
    tests=(
        "tests/service",
        "tests/store",
        "tests/workers",
        "tests/mail/test_compose.py",
        "tests/mail/test_golden.py",
        "tests/store/test_time_controls.py",
        "tests/cli/test_backup_commands.py",
        "tests/web/base/test_limits.py",
        "tests/web/test_rights_end.py",
        "tests/web/turns/test_used_links.py",
        "tests/web/test_rights_end.py",
        "tests/transport/webhooks",
    ),
    limit=90,
    leaves_out=(
        "postgres",
        "test_broker_lost.py",
        "test_pulled_plugs.py",
        "test_conversations.py",
        "test_readers.py",
        "test_standing_orders_play_the_same_game.py",
        "everybody_gets_the_last_letter",
        "little_memory",
    ),
)
ANSWERING = Group(
    name="answering",
    files=(
        "pbem/mail/**/*.py",
        "pbem/service/people/absences.py",
        "pbem/service/orders/deadlines.py",
        "pbem/service/turns/progress.py",
        "pbem/web/**/*.py",
    ),
    tests=(
        "tests/language",
        "tests/mail",
        "tests/service/people",
        "tests/service/operator",
        "tests/service/clocks",
        "tests/service/letter_views",
        "tests/service/games",
        "tests/service/orders",
        "tests/service/email_in",
        "tests/service/turns",
        "tests/web",
    ),
    limit=95,
    leaves_out=(
        "postgres",
        "test_browser",
        "test_installing.py",
        "test_live_board.py",
        "test_hostile.py",
        "test_hostile_requests.py",
        "test_page_weights.py",
        "test_standing_orders_play_the_same_game.py",
    ),
)
GROUPS = (RULES, KEEPING, ANSWERING)
