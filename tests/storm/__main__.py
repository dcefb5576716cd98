"""``python -m tests.storm``: pull every plug while robots play; exit 1 when anything was lost, doubled or stuck."""

import argparse
import logging
import sys

from tests import servers
from tests.storm import run, table
from tests.storm.hosts import NotAllowed
from tests.storm.plan import Plan


def main(words: list[str] | None = None) -> int:
    """Run one storm and print its table; returns the status of the process."""
    plan = _plan(words)
    logging.basicConfig(level=logging.ERROR)
    try:
        report = run.run(plan, lambda line: print(line, flush=True))
    except (servers.Missing, NotAllowed) as missing:
        print(f"There can be no such storm here: {missing}.")
        return 0
    print()
    for line in table.lines(report):
        print(line)
    return 0 if report.verdict.clean else 1


def _plan(words: list[str] | None) -> Plan:
    usual = Plan()
    parser = argparse.ArgumentParser(prog="python -m tests.storm", description=__doc__)
    parser.add_argument("--games", type=int, default=usual.games, help="games played side by side")
    parser.add_argument("--submissions", type=int, default=usual.submissions, help="different orders to be taken in")
    parser.add_argument("--faults", type=int, default=usual.faults, help="plugs to be pulled")
    parser.add_argument("--minutes", type=float, default=usual.minutes, help="the longest time of playing")
    parser.add_argument("--seed", type=int, default=usual.seed, help="of all that is left to chance here")
    parser.add_argument("--hosts", action="store_true", help="workers in network namespaces, one of them cut off")
    given = parser.parse_args(words)
    return Plan(given.games, given.submissions, given.faults, given.minutes, given.seed, given.hosts)


if __name__ == "__main__":
    sys.exit(main())
