"""What a storm has come to, as a table."""

from collections.abc import Iterator

from tests.storm.plan import ACKNOWLEDGED, TURNED_AWAY, UNANSWERED
from tests.storm.run import Report


def lines(report: Report) -> Iterator[str]:
    """The table, and below it what is wrong, if anything is."""
    verdict, ledger, figures = report.verdict, report.ledger, report.verdict.figures
    hosts = ", workers on hosts of their own" if report.plan.hosts else ""
    yield f"{figures['games']} games{hosts}, {report.seconds / 60:.0f} minutes, quiet after {report.calm_seconds:.0f} s"
    yield ""
    yield from _block("faults injected", dict(sorted(report.faults.items())), total=True)
    yield from _block("processes started again", dict(sorted(report.restarts.items())), total=True)
    yield from _block(
        "requests with orders",
        {
            **{f"by {way}": count for way, count in sorted(ledger.ways.items())},
            "acknowledged": ledger.answers[ACKNOWLEDGED],
            f"turned away{_codes(report)}": ledger.answers[TURNED_AWAY],
            "without an answer": ledger.answers[UNANSWERED],
        },
    )
    looks = {str(code or "without an answer"): count for code, count in sorted(report.looks.items(), reverse=True)}
    yield from _block("pages and pictures looked at, answered", looks, total=True)
    yield from _block(
        "submissions",
        {
            "acknowledged": ledger.orders,
            "acknowledged again, the same number": ledger.answers[ACKNOWLEDGED] - ledger.orders,
            "rows": figures["submissions"],
            "played": figures["played"],
            "refused": figures["refused"],
            "moves in the games": figures["moves"],
            "games over": figures["over"],
        },
    )
    yield from _block(
        "letters",
        {
            "written": figures["letters"],
            "delivered": figures["sent"],
            "withdrawn, the question was answered": figures["withdrawn"],
            "arrived": figures["arrived"],
            "arrived again, the same Message-ID": figures["again"],
            "arrived, but not noted before withdrawn": figures["late"],
            "taken while the sender was not told": figures["untold"],
        },
    )
    waits = {**verdict.waits, "request with orders answered, all": ledger.slowest}
    yield from _block("done within seconds", {name: round(value) for name, value in waits.items()})
    yield from _block(
        "result",
        {
            "lost": len(verdict.lost),
            "doubled": len(verdict.doubled),
            "positions, letters or answers that are wrong": len(verdict.wrong),
            "rows stuck and locks held": len(verdict.stuck),
        },
    )
    yield from verdict.sentences()
    if not verdict.clean:
        yield f"Logs and database are in {report.folder}."


def _codes(report: Report) -> str:
    bad = sorted(code for code in report.ledger.codes if code not in (202, 303))
    return f" ({', '.join(map(str, bad))})" if bad else ""


def _block(title: str, counts: dict[str, int], *, total: bool = False) -> Iterator[str]:
    heading = f"{title}: {sum(counts.values()):,}" if total else title
    yield heading
    for name, count in counts.items():
        yield f"  {name:<48} {count:>9,}"
    yield ""
