"""Print the tables on field-like data: `python -m benchmarks.coverage.field_tables` (some minutes)."""

from collections.abc import Iterable, Iterator

from benchmarks.coverage.field import (
    CASES,
    CHANGES,
    KINDS,
    VAGUE,
    Vague,
    bounded_coverage,
    difference_coverage,
    false_claims,
    grouped_pass_alarms,
    narrowing,
    power_at_needed,
    power_at_smallest,
    simultaneous_coverage,
    vaguer_called_better,
)
from benchmarks.coverage.gate import PULL_REQUESTS, SYSTEMS, states

DRAWS = 1000
DIFFERENCE = 0.05
CHECKS = (5, 10, 20)


def _row(name: object, *cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in (name, *cells))} |"


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield _row(*["---"] * len(cells))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def power() -> Iterator[str]:
    """Yield the power at *smallest*, for each number of cases, and at *needs N cases*."""
    needed = f"cases needed for {DIFFERENCE} (from 60): found"
    yield from _head("a fall of the *smallest* size is found", *(f"{n} cases" for n in CASES), needed)
    for kind in KINDS:
        cells = [
            f"{size:.2f}: {_percent(share)}"
            for size, share in (power_at_smallest(kind, n, DRAWS // 2) for n in CASES)
        ]
        cases, share = power_at_needed(kind, 60, DIFFERENCE, DRAWS // 2)
        yield _row(kind, *cells, f"{cases:.0f}: {_percent(share)}")


def coverage() -> Iterator[str]:
    """Yield the coverage of the interval of a difference."""
    yield from _head("changes", *(f"{n} cases" for n in CASES), "score interval on [-1, 1] instead")
    for name in CHANGES:
        found = [difference_coverage(name, n, DRAWS) for n in CASES]
        yield _row(
            name, *(_percent(ours) for ours, _ in found), " / ".join(_percent(plain) for _, plain in found)
        )


def alarms() -> Iterator[str]:
    """Yield the false claims of two runs of one system."""
    yield from _head("two runs of one system, three metrics", *(f"{n} cases: claim / yellow" for n in CASES))
    for kind in KINDS:
        cells = [
            f"{_percent(claim)} / {_percent(yellow)}"
            for claim, yellow in (false_claims(kind, n, 3, DRAWS) for n in CASES)
        ]
        yield _row(kind, *cells)


def together() -> Iterator[str]:
    """Yield how often the intervals of six metrics hold together."""
    yield from _head("of six metrics, 60 cases, so many fell by 0.15", "0", "1", "3", "5", "6")
    yield _row(
        "all six intervals hold",
        *(_percent(simultaneous_coverage(real, 6, 60, DRAWS)) for real in (0, 1, 3, 5, 6)),
    )


def grouped() -> Iterator[str]:
    """Yield false alarms of pass rates in groups."""
    yield from _head("pass rate, whole documents turn", "documents flipped", "cases flipped")
    for groups, size in ((12, 5), (20, 6), (40, 5)):
        yield _row(
            f"{groups} documents of {size} cases",
            *map(_percent, grouped_pass_alarms(groups, size, 0.3, 2 * DRAWS)),
        )


def bounded() -> Iterator[str]:
    """Yield the coverage of bounded means."""
    yield from _head("judge", *(f"{n} cases" for n in CASES), "leaving out the undecided instead")
    for name in VAGUE:
        found = [bounded_coverage(name, n, 2 * DRAWS) for n in CASES]
        yield _row(
            name, *(_percent(ours) for ours, _ in found), " / ".join(_percent(naive) for _, naive in found)
        )


def vaguer() -> Iterator[str]:
    """Yield how often an equal but vaguer system is called better or worse."""
    yield from _head(
        "bad claims left undecided (2 % before)",
        "cases",
        "claimed",
        "depends on the undecided",
        "claimed, leaving them out",
    )
    for if_bad in (0.15, 0.4, 0.7):
        for n in (60, 200):
            claimed, naive, open_ = vaguer_called_better(n, if_bad, DRAWS)
            yield _row(f"{100 * if_bad:.0f} %", n, _percent(claimed), _percent(open_), _percent(naive))


def checks() -> Iterator[str]:
    """Yield coverage and width with people's checks."""
    yield from _head(
        "undecided, share of good claims, cases", *(f"{c} checks: coverage, width" for c in CHECKS)
    )
    for n, share, good in ((60, 0.08, 0.85), (200, 0.08, 0.85), (200, 0.08, 0.5), (200, 0.2, 0.97)):
        world = Vague(good=good, if_good=share, if_bad=share)
        cells = [
            f"{_percent(hit)}, {width:.2f}" for hit, width in (narrowing(n, c, world, DRAWS) for c in CHECKS)
        ]
        yield _row(f"{100 * share:.0f} % of claims, {good}, {n}", *cells)


def gates() -> Iterator[str]:
    """Yield the states of gates over field-like data."""
    yield from _head(f"{PULL_REQUESTS:,} pull requests, 60 cases, three metrics", "red", "yellow")
    for name, system in SYSTEMS.items():
        red, yellow = states(system)
        yield _row(name, _percent(red), _percent(yellow))


TABLES = (power, coverage, alarms, together, grouped, bounded, vaguer, checks, gates)


def main(tables: Iterable[str] = ()) -> None:
    """Print the tables of these names; all without any."""
    for table in TABLES:
        if not list(tables) or table.__name__ in tables:
            print("\n" + "\n".join(table()), flush=True)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
