"""The first sentence about a run that reviewed its cases: how many answers do not hold, and where passages lack."""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from ragstone.metric_label import ACCEPTANCE, SUFFICIENCY, base_name
from ragstone.reports.numbers import count
from ragstone.result import Result
from ragstone.status import Status

Counts = Mapping[Status | None, int]
"""Number of results of each status."""


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


def case_sentence(counts_by_spec: Mapping[str, Counts]) -> str | None:
    """Return the sentence, without a full stop; None for a run that did not review its cases.

    Args:
        counts_by_spec: for each metric, by its spec, how many results have each status.
    """
    answers, contexts = (_first(counts_by_spec, name) for name in (ACCEPTANCE, SUFFICIENCY))
    return "; ".join(_parts(answers, contexts)) or None


def _first(counts_by_spec: Mapping[str, Counts], name: str) -> Counts:
    none: Counts = {}
    return next((counts for spec, counts in counts_by_spec.items() if base_name(spec) == name), none)


def _parts(answers: Counts, contexts: Counts) -> Iterator[str]:
    judged = _judged(answers)
    if judged and judged == answers.get("passed", 0):
        yield f"all {count(judged, 'answer')} hold" if judged > 1 else "the answer holds"
    elif judged:
        missed = answers.get("missed", 0)
        do_not = "does not hold" if missed == 1 else "do not hold"
        yield f"{missed:,} of {count(judged, 'answer')} {do_not}"
    if lacking := contexts.get("missed", 0):
        yield f"in {count(lacking, 'case')} the passages lack what is needed"
    elif _judged(contexts) and not contexts.get("undecided", 0):
        yield "the passages hold what is needed in every case"
    undecided = [
        (number, noun)
        for number, noun in (
            (answers.get("undecided", 0), "answer"),
            (contexts.get("undecided", 0), "context"),
        )
        if number
    ]
    if len(undecided) == 1 and undecided[0][1] == "answer":
        yield f"{undecided[0][0]:,} undecided"
    elif undecided:
        yield " and ".join(count(number, noun) for number, noun in undecided) + " undecided"


def _judged(counts: Counts) -> int:
    return sum(counts.get(status, 0) for status in ("passed", "missed", "undecided"))
