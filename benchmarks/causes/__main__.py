"""Plant faults in a toy RAG and print which causes `ragstone explain` finds.

    python -m benchmarks.causes                     a perfect judge and the embedded judge, 30 test cases a fault
    python -m benchmarks.causes --per-fault 100
    python -m benchmarks.causes --similar           groups of similar failures: how often by chance, how often found

1 is the exit code where the perfect judge's macro-recall is not 1.
"""

import argparse
from collections.abc import Sequence

from benchmarks.causes.confusion import measure
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.similar import figure_rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both confusion matrices, with the passages' own words and reworded."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.causes", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--per-fault", type=int, default=30, help="test cases with each fault")
    parser.add_argument("--similar", action="store_true", help="groups of similar failures in simulated runs")
    options = parser.parse_args(arguments)
    if options.similar:
        for row in figure_rows():
            print(row, flush=True)
        return 0
    perfect = 0.0
    for title, judge in (("a perfect judge", PerfectJudge()), ("the embedded judge", "local")):
        for reworded in (False, True):
            found = measure(judge, options.per_fault, reworded=reworded)
            words = (
                "answers in other words than the passages" if reworded else "answers in the passages' words"
            )
            print(f"\n{title}, {words}: macro-recall {found.macro_recall:.3f}")
            print("\n".join(found.lines()))
            if isinstance(judge, PerfectJudge):
                perfect += found.macro_recall / 2
    return int(perfect < 1)


if __name__ == "__main__":
    raise SystemExit(main())
