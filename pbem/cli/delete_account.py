"""Delete somebody's account, as people can do it themselves on their account page.

Address, settings, notes, remarks, feeds, webhooks, devices and the list of emails go; finished games keep their
results, without the name. One last email says so. You are asked to confirm it by typing the address.
"""

import argparse
from datetime import UTC, datetime

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.service.base.sentences import FORMER
from pbem.service.games import account_deletion
from pbem.service.games.account_deletion import Leaving
from pbem.service.operator import operating


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", metavar="ADDRESS", help="the email address of the account")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def run(args: argparse.Namespace) -> int:
    with office() as opened:
        person = operating.at(opened, args.address)
        print(f"{person.name}, {person.address}, here since {person.since:%Y-%m-%d}")
        happens = _happens(account_deletion.leaving(opened, person.id))
        typed = _terminal.typed(happens, "the address", person.address, sure=args.yes)
        account_deletion.delete(opened, person.id, typed, datetime.now(UTC), by_operator=True)
        print("The account is deleted.")
    return 0


def _happens(leaving: Leaving) -> list[str]:
    told = [
        "Address, settings, notes, remarks, feeds, webhooks, devices and the list of emails go.",
        "One last email says so.",
        f"Finished games keep their results; they and what was said in games call the player “{FORMER}”.",
    ]
    if leaving.leaves:
        told.append(f"These games go on without the player: {', '.join(leaving.leaves)}.")
    if leaving.cancels:
        told.append(f"These games have not started and are cancelled: {', '.join(leaving.cancels)}.")
    return [*told, "Backups that were made before still hold the account."]
