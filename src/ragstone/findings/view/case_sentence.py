"""The first sentence about a run that reviewed its cases: how many answers do not hold, and where passages lack."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from ragstone.findings.numbers import count
from ragstone.metric_label import ACCEPTANCE, SUFFICIENCY, base_name
from ragstone.result import Result
from ragstone.status import Status

Counts = Mapping[Status, int] | Mapping[Status | None, int]
"""Number of results of each status."""


@dataclass(frozen=True, slots=True)
class HeadlinePart:
    """A part of a sentence about a run."""

    text: str  # its words
    # the status that the test cases it counts have; empty where it counts none
    status: Status | Literal[""] = ""
    spec: str = ""  # the metric whose result has that status; empty for any
    end: str = ""  # what stands between it and the next part


def sureness(results: Iterable[Result]) -> tuple[float, int]:
    """Return how sure the judge is that the answer of a case does not hold, and how many faults it found.

    The first is 0 where the answer was not refused, else the probability of that verdict; 1 where it is not known.
    """
    for result in results:
        if base_name(result.spec) == ACCEPTANCE and result.status == "missed":
            probability: object = result.metadata.get("probability")
            faults: object = result.metadata.get("faults")
            number = len(cast("list[object]", faults)) if isinstance(faults, list) else 0
            return 1 - probability if isinstance(probability, int | float) else 1.0, number
    return 0.0, 0


def case_parts(counts_by_spec: Mapping[str, Counts]) -> Iterator[HeadlinePart]:
    """Yield the parts of the sentence; none for a run that did not review its cases.

    Args:
        counts_by_spec: for each metric, by its spec, how many results have each status.
    """
    answer, context = (_first(counts_by_spec, name) for name in (ACCEPTANCE, SUFFICIENCY))
    yield from _parts(*answer, *context)


def _first(counts_by_spec: Mapping[str, Counts], name: str) -> tuple[str, Counts]:
    none: Counts = {}
    found = ((spec, counts) for spec, counts in counts_by_spec.items() if base_name(spec) == name)
    return next(found, ("", none))


def _parts(answer: str, answers: Counts, context: str, contexts: Counts) -> Iterator[HeadlinePart]:
    judged = _judged(answers)
    if judged and judged == answers.get("passed", 0):
        text = f"all {count(judged, 'answer')} hold" if judged > 1 else "the answer holds"
        yield HeadlinePart(text, "passed", answer)
    elif judged:
        missed = answers.get("missed", 0)
        do_not = "does not hold" if missed == 1 else "do not hold"
        yield HeadlinePart(f"{missed:,} of {count(judged, 'answer')} {do_not}", "missed", answer)
    if lacking := contexts.get("missed", 0):
        text = f"in {count(lacking, 'case')} the passages lack what is needed"
        yield HeadlinePart(text, "missed", context)
    elif _judged(contexts) and not contexts.get("undecided", 0):
        yield HeadlinePart("the passages hold what is needed in every case", "passed", context)
    yield from _undecided(answer, answers.get("undecided", 0), context, contexts.get("undecided", 0))


def _undecided(answer: str, answers: int, context: str, contexts: int) -> Iterator[HeadlinePart]:
    if answers and not contexts:
        yield HeadlinePart(f"{answers:,} undecided", "undecided", answer)
    elif contexts:
        both = f"{count(answers, 'answer')} and " if answers else ""
        yield HeadlinePart(
            f"{both}{count(contexts, 'context')} undecided", "undecided", "" if answers else context
        )


def _judged(counts: Counts) -> int:
    return sum(counts.get(status, 0) for status in ("passed", "missed", "undecided"))
