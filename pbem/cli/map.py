"""Look at maps that people draw, and withdraw one.

"check BOARD.toml" says what is wrong with a drawing: one fault a line. The exit status is 1 if there is a fault. Hints,
which stop nothing, go to standard error.

"show HASH" prints the drawing of a version that is on this server, by the first letters of its hash; whose it is, how
it stands, what stopped its trial game, why it was withdrawn and what was answered go to standard error. "withdraw KEY
--reason TEXT" ends the link of a map and its place in lists; games that run go on, and whoever drew it gets the reason
by email.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.cli._terminal import Failure
from pbem.engine import catalog
from pbem.service.own_maps import states, versions


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["check", "show", "withdraw"], help="what is to be done")
    parser.add_argument(
        "which", metavar="BOARD.toml|HASH|KEY", help="the drawing or its folder; the version; the map as in its address"
    )
    parser.add_argument("--json", action="store_true", help="check: print each fault as a JSON object with its hex")
    parser.add_argument("--reason", default="", metavar="TEXT", help="withdraw: why, for whoever drew the map")


def run(args: argparse.Namespace) -> int:
    match args.what:
        case "show":
            return _show(args.which)
        case "withdraw":
            return _withdraw(args.which, args.reason)
    return _check(Path(args.which), in_json=args.json)


def _check(path: Path, *, in_json: bool) -> int:
    path = path / "board.toml" if path.is_dir() else path
    checked = catalog.check(path.absolute().parent.name, _terminal.text(path))
    for fault in checked.faults:
        sentence = str(fault.sentence)
        print(json.dumps({"hex": fault.hex, "sentence": sentence}, ensure_ascii=False) if in_json else sentence)
    for hint in checked.hints:
        print(f"Hint: {hint.sentence}", file=sys.stderr)
    return 1 if checked.faults else 0


def _show(start: str) -> int:
    with office() as opened:
        found = versions.beginning(opened, start)
        if len(found) != 1:
            raise Failure(f"{len(found)} versions have a hash that begins with this.")
        version, text, trouble = found[0]
        of = f"version {version.number} of map {version.key}" if version.key else "from the record of a game"
        print(f"{version.name}: {of}, by {version.by or 'nobody any more'}, {version.status}.", file=sys.stderr)
        print(f"Trial games: {version.trial}. {trouble}".strip(), file=sys.stderr)
        if (told := states.withdrawn(opened, version.key)).reason:
            print(f"Withdrawn by the operator: {told.reason}", file=sys.stderr)
            print(f"Answer: {told.answer or 'none'}", file=sys.stderr)
        print(text, end="")
    return 0


def _withdraw(key: str, reason: str) -> int:
    with office() as opened:
        name = states.withdraw_for_operator(opened, key, reason, datetime.now(UTC))
        print(f"{name} is withdrawn; whoever drew it gets the reason by email.")
    return 0
