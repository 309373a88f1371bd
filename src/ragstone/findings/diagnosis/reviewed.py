"""The review of a test case, as the causes use it: faults by kind, what is not answered, whether the context suffices.

Read from the metadata of `answer_acceptance` and `context_sufficiency`, which may come from any file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from ragstone.metric_label import ACCEPTANCE, SUFFICIENCY, base_name
from ragstone.result import Result


@dataclass(frozen=True, slots=True)
class ReviewedFault:
    """A fault of the actual output."""

    quote: str  # its words
    kind: str  # what is wrong
    passage: int | None  # number of the passage that shows it; None if none does


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """The review of a test case that missed."""

    faults: tuple[ReviewedFault, ...] = ()  # the faults of an output that is not acceptable
    unanswered: tuple[str, ...] = ()  # what was asked and is not answered
    # whether the passages hold what is needed; None where that was not decided
    sufficient: bool | None = None
    deciding: tuple[int, ...] = ()  # numbers of the passages that a right answer rests on

    def first(self, *kinds: str) -> ReviewedFault | None:
        """Return the first fault of these kinds, or None."""
        return next((fault for fault in self.faults if fault.kind in kinds), None)


def review_facts(results: Sequence[Result]) -> ReviewFacts | None:
    """Return the review of a test case; None for one that was not reviewed, or missed neither metric."""
    by_name = {base_name(result.spec): result for result in reversed(results)}
    answer, context = by_name.get(ACCEPTANCE), by_name.get(SUFFICIENCY)
    if not any(result is not None and result.status == "missed" for result in (answer, context)):
        return None
    refused = answer if answer is not None and answer.status == "missed" else None
    found: object = {} if context is None else context.metadata.get("context")
    return ReviewFacts(
        faults=tuple(_faults(refused)) if refused else (),
        unanswered=tuple(_texts(refused)) if refused else (),
        sufficient={"sufficient": True, "insufficient": False}.get(str(found)),
        deciding=tuple(_deciding(context)),
    )


def _faults(result: Result | None) -> Iterator[ReviewedFault]:
    for item in _list(result, "faults"):
        if isinstance(item, dict):
            fields = cast("dict[str, object]", item)
            passage = fields.get("passage")
            number = passage if isinstance(passage, int) else None
            yield ReviewedFault(str(fields.get("quote", "")), str(fields.get("kind", "")), number)


def _texts(result: Result | None) -> Iterator[str]:
    return (item for item in _list(result, "unanswered") if isinstance(item, str))


def _deciding(result: Result | None) -> Iterator[int]:
    return (item for item in _list(result, "deciding") if isinstance(item, int))


def _list(result: Result | None, name: str) -> list[object]:
    items: object = None if result is None else result.metadata.get(name)
    return cast("list[object]", items) if isinstance(items, list) else []
