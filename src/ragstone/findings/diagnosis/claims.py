"""The claims of a test case, read from its results: whether they are right, supported, said. Pure functions.

Several metrics report on the same claims, since a run extracts them once. RAGChecker's figures come first; gaps are
filled from faithfulness, factual correctness and contextual recall.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ragstone.metric_label import ACCEPTANCE, SUFFICIENCY, base_name
from ragstone.result import Result
from ragstone.verdict import Verdict


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A claim of the actual output."""

    text: str  # the claim
    right: bool | None = None  # whether it follows from the expected output; None if that was not checked
    supported: bool | None = None  # whether it follows from a passage; None if that was not checked
    # numbers, from 1, of passages from which it follows, as far as they are known
    passages: frozenset[int] = frozenset()
    contradicted: bool = False  # whether the passages contradict it
    against: int | None = None  # number of the passage that contradicts it; None if none is named
    # character offsets of the words in that passage that contradict it; None where they are not known
    span: tuple[int, int] | None = None

    @property
    def wrong(self) -> bool:
        """Whether the claim is wrong by the expected output, or, if that was not checked, by the passages."""
        return self.supported is False if self.right is None else not self.right


@dataclass(frozen=True, slots=True)
class ExpectedClaim:
    """A claim of the expected output."""

    text: str  # the claim
    # numbers, from 1, of passages from which it follows; None if that was not checked
    passages: frozenset[int] | None = None
    said: bool | None = None  # whether the actual output says it; None if that was not checked

    @property
    def lost(self) -> bool:
        """Whether it was looked for in the passages, and follows from none."""
        return self.passages is not None and not self.passages


def of_metric(results: Iterable[Result], *names: str) -> list[Result]:
    """Return the measured results of the metrics with these names, in the order of the names."""
    measured = [result for result in results if result.is_measured]
    return [result for name in names for result in measured if base_name(result.spec) == name]


def answer_claims(results: Sequence[Result]) -> tuple[AnswerClaim, ...] | None:
    """Return the claims of the actual output with all that is known of each, or None if no metric reports on them."""
    claims: dict[str, AnswerClaim] = {}
    rag_checker = of_metric(results, "rag_checker")
    for text, right, numbers in _claim_rows(rag_checker, "claims"):
        claim = claims.get(text, AnswerClaim(text))
        claim = claim if right is None else replace(claim, right=right)
        known = {} if numbers is None else {"passages": numbers, "supported": bool(numbers)}
        claims[text] = replace(claim, **known)
    for verdict in _verdicts(of_metric(results, "factual_correctness"), "verdicts"):
        claim = claims.setdefault(verdict.statement, AnswerClaim(verdict.statement))
        if claim.right is None and verdict.is_decided:
            claims[verdict.statement] = replace(claim, right=verdict.verdict == "yes")
    faithfulness = of_metric(results, "faithfulness")
    for verdict in _verdicts(faithfulness, "verdicts"):
        if verdict.statement in claims or not rag_checker:
            claim = claims.get(verdict.statement, AnswerClaim(verdict.statement))
            claims[verdict.statement] = _with_faithfulness(claim, verdict)
    any_results = rag_checker or faithfulness or of_metric(results, "factual_correctness")
    return tuple(claims.values()) if any_results else None


def _with_faithfulness(claim: AnswerClaim, verdict: Verdict) -> AnswerClaim:
    """Add the verdict of faithfulness. A claim with a supporting passage in RAGChecker's matrix stays supported."""
    if verdict.verdict == "no" and not claim.passages:
        return replace(claim, supported=False, contradicted=True, against=verdict.passage, span=verdict.span)
    if claim.supported is not None or not verdict.is_decided:
        return claim
    supported = verdict.verdict == "yes"
    numbers = frozenset([verdict.passage]) if supported and verdict.passage else frozenset[int]()
    return replace(claim, supported=supported, passages=numbers)


def expected_claims(results: Sequence[Result]) -> tuple[ExpectedClaim, ...] | None:
    """Return the claims of the expected output with all that is known of each, or None if no metric reports on them."""
    claims: dict[str, ExpectedClaim] = {}
    for text, said, numbers in _claim_rows(of_metric(results, "rag_checker"), "expected_claims"):
        claim = claims.get(text, ExpectedClaim(text))
        claim = claim if said is None else replace(claim, said=said)
        claims[text] = claim if numbers is None else replace(claim, passages=numbers)
    for verdict in _verdicts(of_metric(results, "factual_correctness"), "expected_verdicts"):
        claim = claims.setdefault(verdict.statement, ExpectedClaim(verdict.statement))
        if claim.said is None and verdict.is_decided:
            claims[verdict.statement] = replace(claim, said=verdict.verdict == "yes")
    if not any(claim.passages is not None for claim in claims.values()):
        attributed = {
            verdict.statement: ExpectedClaim(verdict.statement, _supporting_passage(verdict))
            for verdict in _verdicts(of_metric(results, "contextual_recall"), "verdicts")
        }
        claims = _join_claims(claims, attributed)
    return tuple(claims.values()) or None


def _join_claims(
    said_claims: Mapping[str, ExpectedClaim], placed: Mapping[str, ExpectedClaim]
) -> dict[str, ExpectedClaim]:
    """Join claims from two ways of splitting the expected output.

    Two different splits are joined only if all claims are said, or if all claims have a passage.
    """
    if not placed:
        return dict(said_claims)
    all_said = bool(said_claims) and all(claim.said for claim in said_claims.values())
    if not said_claims or all_said or set(said_claims) != set(placed):
        joined = {text: replace(claim, said=True if all_said else None) for text, claim in placed.items()}
        all_placed = all(claim.passages for claim in placed.values())
        if said_claims and not all_said and all_placed:
            all_passages = frozenset[int]().union(*(claim.passages or () for claim in placed.values()))
            return {text: replace(claim, passages=all_passages) for text, claim in said_claims.items()}
        return joined
    return {text: replace(claim, said=said_claims[text].said) for text, claim in placed.items()}


def _supporting_passage(verdict: Verdict) -> frozenset[int] | None:
    """Return the passage from which the statement follows; None if the judge cannot tell."""
    if not verdict.is_decided:
        return None
    return frozenset([verdict.passage or 0]) if verdict.verdict == "yes" else frozenset()


def _claim_rows(
    results: Iterable[Result], key: str
) -> Iterator[tuple[str, bool | None, frozenset[int] | None]]:
    """Yield each claim, whether it is supported, and the passages from which it follows.

    The passages are None if they were not checked, or if none surely is one and the judge cannot tell of some.
    """
    for result in results:
        for item in _list(result, key):
            if isinstance(item, dict) and "claim" in item:
                row = cast("dict[str, Any]", item)
                supported, value = row.get("supported"), row.get("passages")
                items = cast("list[object]", value) if isinstance(value, list | tuple) else []
                numbers = frozenset(number for number in items if isinstance(number, int))
                unknown = "passages" not in row or (not numbers and row.get("undecided"))
                text = str(row["claim"])
                yield text, supported if isinstance(supported, bool) else None, None if unknown else numbers


def _verdicts(results: Iterable[Result], key: str) -> Iterator[Verdict]:
    rows = next((rows for result in results if (rows := _list(result, key))), list[object]())
    return filter(None, map(Verdict.from_dict, rows))


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
        faults=tuple(_faults(refused)),
        unanswered=tuple(text for text in _list(refused, "unanswered") if isinstance(text, str)),
        sufficient={"sufficient": True, "insufficient": False}.get(str(found)),
        deciding=tuple(number for number in _list(context, "deciding") if isinstance(number, int)),
    )


def _faults(result: Result | None) -> Iterator[ReviewedFault]:
    for item in _list(result, "faults"):
        if isinstance(item, dict):
            fields = cast("dict[str, object]", item)
            passage = fields.get("passage")
            number = passage if isinstance(passage, int) else None
            yield ReviewedFault(str(fields.get("quote", "")), str(fields.get("kind", "")), number)


def _list(result: Result | None, name: str) -> list[object]:
    items: object = None if result is None else result.metadata.get(name)
    return cast("list[object]", items) if isinstance(items, list) else []
