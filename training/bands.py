"""Coverage and accuracy of the verdicts within the bands, on writers and sets on which nothing was fitted.

    python -m training.bands             a line for each set, with what a lower bound of each band would give

A verdict is right if it is yes for a supported row, or another one for any other row; three-way, if it is the label.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragstone.judges.local.model.decision import BANDS, VerdictProbabilities, decide
from ragstone.verdict import VerdictValue
from training.decision import left_out
from training.readings import Reading, load

_VALUES: tuple[VerdictValue, ...] = ("no", "idk", "yes")
_CURVE = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


class Judged(NamedTuple):
    """A row with its left-out probabilities and its verdict."""

    row: Reading
    chances: VerdictProbabilities
    verdict: VerdictValue

    @property
    def is_right(self) -> bool:
        """Whether the verdict is right about supported or not."""
        return (self.verdict == "yes") == (self.row.label == 2)


def judged(readings: Sequence[Reading]) -> list[Judged]:
    """Return each row with its verdict; beside longer evidence there is no yes to a number that it lacks."""
    result: list[Judged] = []
    for row, chances in zip(readings, left_out(readings), strict=True):
        verdict = decide(chances, short=row.short)
        unsure = verdict == "yes" and row.lacks_number and not row.short
        result.append(Judged(row, chances, "undecided" if unsure else verdict))
    return result


def lines() -> Iterator[str]:
    """Yield the line of each set and size of evidence, then the curve of each band."""
    rows = judged(load())
    for name in dict.fromkeys(one.row.name for one in rows):
        for size in BANDS:
            part = [one for one in rows if one.row.name == name and one.row.short == (size == "short")]
            if part:
                yield f"{name:22} {size:5} {_figures(part)}"
    for size, band in BANDS.items():
        yield f"{size} evidence, band {band}: accuracy (rows) from a probability on"
        sized = [one for one in rows if one.row.short == (size == "short")]
        for kind in ("supported", "contradicted", "unsupported"):
            yield f"  {kind:12} " + "  ".join(_point(sized, kind, bound) for bound in _CURVE)


def _figures(rows: Sequence[Judged]) -> str:
    decided = [one for one in rows if one.verdict != "undecided"]
    right = sum(one.is_right for one in decided)
    labelled = [one for one in decided if one.row.label >= 0]
    exact = sum(one.verdict == _VALUES[one.row.label] for one in labelled)
    by_verdict = ", ".join(
        f"{value} {sum(one.is_right for one in of)} of {len(of)}"
        for value in _VALUES
        if (of := [one for one in decided if one.verdict == value])
    )
    return (
        f"{len(rows):5} rows: decided {len(decided) / len(rows):.2f}, right {right / max(len(decided), 1):.3f}, "
        f"three-way {exact / max(len(labelled), 1):.3f} ({by_verdict})"
    )


def _point(rows: Sequence[Judged], kind: str, bound: float) -> str:
    values = [
        (1 - one.chances.supported if kind == "unsupported" else getattr(one.chances, kind), one)
        for one in rows
    ]
    chosen = [one for value, one in values if value >= bound]
    right = sum((one.row.label == 2) == (kind == "supported") for one in chosen)
    return f"{bound}: {right / max(len(chosen), 1):.2f} ({len(chosen)})"


def main() -> None:
    """Print the lines."""
    for line in lines():
        print(line, flush=True)


if __name__ == "__main__":
    main()
