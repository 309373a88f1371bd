"""The claims of a test case, read from its results: whether they are right, supported, said. Pure functions.

Several metrics report on the same claims, since a run extracts them once. RAGChecker's figures come first; gaps are
filled from faithfulness, factual correctness and contextual recall.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ragstone.result import Result
from ragstone.verdict import Verdict


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A claim of the actual output.

    Attributes:
        text: the claim.
        right: whether it follows from the expected output; None if that was not checked.
        supported: whether it follows from a passage; None if that was not checked.
        passages: numbers, from 1, of passages from which it follows, as far as they are known.
        contradicted: whether the passages contradict it.
        against: number of the passage that contradicts it; None if none is named.
    """

    text: str
    right: bool | None = None
    supported: bool | None = None
    passages: frozenset[int] = frozenset()
    contradicted: bool = False
    against: int | None = None

    @property
    def wrong(self) -> bool:
        """Whether the claim is wrong by the expected output, or, if that was not checked, by the passages."""
        return self.supported is False if self.right is None else not self.right


@dataclass(frozen=True, slots=True)
class ExpectedClaim:
    """A claim of the expected output.

    Attributes:
        text: the claim.
        passages: numbers, from 1, of passages from which it follows; None if that was not checked.
        said: whether the actual output says it; None if that was not checked.
    """

    text: str
    passages: frozenset[int] | None = None
    said: bool | None = None


def of_metric(results: Iterable[Result], *names: str) -> list[Result]:
    """Return the measured results of the metrics with these names, in the order of the names."""
    measured = [result for result in results if result.score is not None]
    return [
        result
        for name in names
        for result in measured
        if result.spec.partition("(")[0].partition("@")[0] == name
    ]


def answer_claims(results: Sequence[Result]) -> tuple[AnswerClaim, ...] | None:
    """Return the claims of the actual output with all that is known of each, or None if no metric reports on them."""
    found: dict[str, AnswerClaim] = {}
    matrices = of_metric(results, "rag_checker")
    for row in _rows(matrices, "claims"):
        text = str(row.get("claim", ""))
        known = found.setdefault(text, AnswerClaim(text))
        if isinstance(row.get("supported"), bool):
            known = replace(known, right=row["supported"])
        if "passages" in row:
            numbers = _numbers(row["passages"])
            known = replace(known, passages=numbers, supported=bool(numbers))
        found[text] = known
    for verdict in _verdicts(of_metric(results, "factual_correctness"), "verdicts"):
        known = found.setdefault(verdict.statement, AnswerClaim(verdict.statement))
        if known.right is None:
            found[verdict.statement] = replace(known, right=verdict.verdict == "yes")
    judged = of_metric(results, "faithfulness")
    for verdict in _verdicts(judged, "verdicts"):
        if verdict.statement in found or not matrices:
            known = found.get(verdict.statement, AnswerClaim(verdict.statement))
            found[verdict.statement] = _with_faithfulness(known, verdict)
    asked = matrices or judged or of_metric(results, "factual_correctness")
    return tuple(found.values()) if asked else None


def _with_faithfulness(known: AnswerClaim, verdict: Verdict) -> AnswerClaim:
    """Add the verdict of faithfulness. A claim with a supporting passage in RAGChecker's matrix stays supported."""
    if verdict.verdict == "no" and not known.passages:
        return replace(known, supported=False, contradicted=True, against=verdict.passage)
    if known.supported is not None:
        return known
    numbers = (
        frozenset([verdict.passage]) if verdict.verdict == "yes" and verdict.passage else frozenset[int]()
    )
    return replace(known, supported=verdict.verdict == "yes", passages=numbers)


def expected_claims(results: Sequence[Result]) -> tuple[ExpectedClaim, ...] | None:
    """Return the claims of the expected output with all that is known of each, or None if no metric reports on them."""
    found: dict[str, ExpectedClaim] = {}
    for row in _rows(of_metric(results, "rag_checker"), "expected_claims"):
        text = str(row.get("claim", ""))
        known = found.setdefault(text, ExpectedClaim(text))
        if isinstance(row.get("supported"), bool):
            known = replace(known, said=row["supported"])
        if "passages" in row:
            known = replace(known, passages=_numbers(row["passages"]))
        found[text] = known
    for verdict in _verdicts(of_metric(results, "factual_correctness"), "expected_verdicts"):
        known = found.setdefault(verdict.statement, ExpectedClaim(verdict.statement))
        if known.said is None:
            found[verdict.statement] = replace(known, said=verdict.verdict == "yes")
    if not any(claim.passages is not None for claim in found.values()):
        attributed = {
            verdict.statement: ExpectedClaim(verdict.statement, _place(verdict))
            for verdict in _verdicts(of_metric(results, "contextual_recall"), "verdicts")
        }
        found = _joined(found, attributed)
    return tuple(found.values()) or None


def _joined(
    said: Mapping[str, ExpectedClaim], placed: Mapping[str, ExpectedClaim]
) -> dict[str, ExpectedClaim]:
    """Join claims from two ways of splitting the expected output.

    Two different splits are joined only if all claims are said, or if all claims have a passage.
    """
    if not placed:
        return dict(said)
    every = bool(said) and all(claim.said for claim in said.values())
    if not said or every or set(said) != set(placed):
        told = {text: replace(claim, said=True if every else None) for text, claim in placed.items()}
        everything_seen = all(claim.passages for claim in placed.values())
        if said and not every and everything_seen:
            seen = frozenset[int]().union(*(claim.passages or () for claim in placed.values()))
            return {text: replace(claim, passages=seen) for text, claim in said.items()}
        return told
    return {text: replace(claim, said=said[text].said) for text, claim in placed.items()}


def _place(verdict: Verdict) -> frozenset[int]:
    return frozenset([verdict.passage or 0]) if verdict.verdict == "yes" else frozenset()


def _rows(results: Iterable[Result], key: str) -> Iterator[Mapping[str, Any]]:
    for result in results:
        rows = result.metadata.get(key)
        for row in cast("list[object]", rows) if isinstance(rows, list) else []:
            if isinstance(row, dict) and "claim" in row:
                yield cast("dict[str, Any]", row)


def _verdicts(results: Iterable[Result], key: str) -> Iterator[Verdict]:
    """Yield the verdicts of the first result that has them."""
    for result in results:
        rows = result.metadata.get(key)
        found = (
            [Verdict.from_dict(row) for row in cast("list[object]", rows)] if isinstance(rows, list) else []
        )
        if found:
            yield from (verdict for verdict in found if verdict is not None)
            return


def _numbers(value: object) -> frozenset[int]:
    items = cast("list[object]", value) if isinstance(value, list | tuple) else []
    return frozenset(item for item in items if isinstance(item, int))
