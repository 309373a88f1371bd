"""The facts about one test case that determine its cause. Pure functions: the run's judge is not called.

Only two facts are decided here, with the embedded judge: whether an answer declines, if the metric `abstention` was not
measured, and which expected claims are supported by a passage that was cut.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Literal, cast

from ragstone.case import TestCase
from ragstone.findings.diagnosis.claims import (
    AnswerClaim,
    ExpectedClaim,
    ReviewFacts,
    answer_claims,
    expected_claims,
    of_metric,
    review_facts,
)
from ragstone.findings.diagnosis.documents import relevant_names
from ragstone.metric_label import ACCEPTANCE, SUFFICIENCY, base_name
from ragstone.metrics.abstention import answerable
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import load
from ragstone.result import Result
from ragstone.status import Status

RETRIEVER_METRICS = (
    "contextual_relevancy",
    "context_relevance",
    "joint_context_relevance",
    "contextual_precision",
    "context_utilization",
    SUFFICIENCY,
)
RELEVANCE_METRICS = ("answer_relevancy", "answer_relevance", "semantic_answer_relevancy")
_FACT_METRICS = (
    *("rag_checker", "faithfulness", "factual_correctness", "contextual_recall", "abstention"),
    ACCEPTANCE,
)
_RETRIEVER_FIGURES = ("context_precision", "claim_recall")


@dataclass(frozen=True, kw_only=True)
class CaseFacts:
    """The facts about one test case."""

    has_reference: bool = False  # there is an expected output
    answerable: bool | None = None  # the question has an answer; None where nothing says so
    declined: bool = False  # the answer declines
    passages: int | None = None  # how many passages the model saw; None where no field holds any
    # whether the corpus contains the answer; None if the test case does not say
    in_corpus: bool | None = None
    claims: tuple[AnswerClaim, ...] | None = None  # the answer's claims; None if no metric reports on them
    # the expected output's claims; None if no metric reports on them
    expected: tuple[ExpectedClaim, ...] | None = None
    gold: tuple[str, ...] = ()  # texts of the test case's own `context`, if `retrieval_context` is given too
    seen: tuple[str, ...] = ()  # texts of the passages that the model saw
    cut: tuple[str, ...] = ()  # texts that were retrieved and did not reach the model
    # expected claims that one of these supports and no passage seen by the model does
    cut_claims: tuple[str, ...] = ()
    k: int = 0  # how many passages were retrieved
    # place, from 1, of the first relevant entry in the deeper ranking; None where it is in none
    rank: int | None = None
    ranked_deep: bool = False  # a deeper ranking is given
    missed: tuple[Result, ...] = ()  # results on the wrong side of their threshold
    errors: tuple[Result, ...] = ()  # results that could not be measured
    irrelevant: Result | None = None  # result of a metric that found nothing relevant in the passages
    not_measured: bool = False  # whether a metric on claims or refusals could not be measured
    # what the test case is if nothing missed: `undecided` where the judge could not decide some metric, `skipped`
    # where all metrics were skipped or lack a field, else `passed`
    rest: Literal["passed", "undecided", "skipped"] = "passed"
    review: ReviewFacts | None = None  # the review of the case, if it missed that

    @property
    def lost(self) -> tuple[ExpectedClaim, ...]:
        """The expected claims that no passage seen by the model supports."""
        return tuple(claim for claim in self.expected or () if claim.lost)

    @property
    def found(self) -> tuple[ExpectedClaim, ...]:
        """The expected claims that a passage seen by the model supports."""
        return tuple(claim for claim in self.expected or () if claim.passages)

    @property
    def relevant(self) -> frozenset[int]:
        """The numbers of the passages that support an expected claim."""
        return frozenset[int]().union(*(claim.passages or () for claim in self.expected or ()))

    @property
    def wrong(self) -> tuple[AnswerClaim, ...]:
        """The answer's claims that are wrong."""
        return tuple(claim for claim in self.claims or () if claim.wrong)


def read_facts(case: TestCase, results: Sequence[Result]) -> CaseFacts:
    """Return the facts about a test case from its fields and its results."""
    measured = [result for result in results if not _lacks_a_field(result)]
    errors = tuple(result for result in measured if result.status == "not_measured")
    has_reference, in_corpus = case.get("expected_output") is not None, case.metadata.get("in_corpus")
    expected = expected_claims(measured) if has_reference else None
    cut, relevance = tuple(_cut_texts(case)), of_metric(measured, *RETRIEVER_METRICS[:3])
    deep = _deep_ranking(case)
    return CaseFacts(
        has_reference=has_reference,
        answerable=answerable(case),
        declined=_declined(case, measured),
        passages=_passage_count(case),
        in_corpus=in_corpus if isinstance(in_corpus, bool) else None,
        claims=answer_claims(measured),
        expected=expected,
        gold=_gold(case),
        seen=tuple((case.context if case.retrieval_context is None else case.retrieval_context) or ()),
        cut=cut,
        cut_claims=_claims_in_cut(case, expected, cut),
        k=len(case.retrieved_ids or case.retrieval_context or ()) + len(cut),
        rank=_rank(case, deep),
        ranked_deep=bool(deep),
        missed=tuple(result for result in measured if result.status == "missed"),
        errors=errors,
        irrelevant=next((each for each in relevance if each.score == 0 and each.status != "undecided"), None),
        not_measured=any(base_name(result.spec) in _FACT_METRICS for result in errors),
        rest=_rest({result.status for result in measured}),
        review=review_facts(measured),
    )


def facts_to_explain(case: TestCase, results: Sequence[Result]) -> CaseFacts:
    """Return what a diagnosis needs of a test case: all facts where something missed, else outcome and refusal.

    Most test cases of a large run pass: their claims and passages are not read.
    """
    measured = [result for result in results if not _lacks_a_field(result)]
    statuses: set[Status | None] = {result.status for result in measured}
    if statuses & {"missed", "not_measured"}:
        return read_facts(case, results)
    known = answerable(case)
    declined = known is not None and _declined(case, measured)
    return CaseFacts(answerable=known, declined=declined, rest=_rest(statuses))


def judge_free(result: Result) -> bool:
    """Return whether a result comes from a metric without a judge."""
    name = base_name(result.spec)
    return name in BUILT_IN and not load(BUILT_IN[name]).prompts


def about_retrieval(result: Result) -> bool:
    """Return whether a result measures the passages alone."""
    name = base_name(result.spec)
    figure = any(f"figure='{each}'" in result.spec for each in _RETRIEVER_FIGURES)
    return name in RETRIEVER_METRICS or (name == "rag_checker" and figure)


def about_relevance(result: Result) -> bool:
    """Return whether a result measures the relevance of the answer to the question."""
    return base_name(result.spec) in RELEVANCE_METRICS


def normalised(text: str) -> str:
    """Return the text in lower case and with single blanks, to recognise copies of it."""
    return " ".join(text.split()).casefold()


def _lacks_a_field(result: Result) -> bool:
    return result.status == "not_measured" and result.error_kind == "MissingField"


def _rest(statuses: AbstractSet[Status | None]) -> Literal["passed", "undecided", "skipped"]:
    if "undecided" in statuses:
        return "undecided"
    return "skipped" if statuses <= {"skipped"} else "passed"


def _declined(case: TestCase, results: Sequence[Result]) -> bool:
    for result in of_metric(results, "abstention"):
        if isinstance(result.metadata.get("declined"), bool):
            return bool(result.metadata["declined"])
    from ragstone.judges.local.abstention import is_abstention  # noqa: PLC0415  (reads the embedded judge's lexicon)

    answer = case.get("actual_output")
    return isinstance(answer, str) and is_abstention(answer)


def _passage_count(case: TestCase) -> int | None:
    if case.retrieval_context is not None:
        return sum(bool(text.strip()) for text in case.retrieval_context)
    return None if case.context is None else len(case.context)


def _gold(case: TestCase) -> tuple[str, ...]:
    return tuple(case.context or ()) if case.retrieval_context is not None else ()


def _cut_texts(case: TestCase) -> Iterator[str]:
    trace = case.metadata.get("trace")
    items = cast("dict[str, object]", trace).get("cut") if isinstance(trace, dict) else None
    found = cast("list[object]", items) if isinstance(items, list | tuple) else []
    return filter(None, map(_item_text, found))


def _item_text(item: object) -> str:
    if isinstance(item, Mapping):
        fields = cast("Mapping[str, object]", item)
        item = next((fields[key] for key in ("content", "text", "page_content") if key in fields), "")
    return item if isinstance(item, str) else ""


def _claims_in_cut(
    case: TestCase, expected: Sequence[ExpectedClaim] | None, cut: Sequence[str]
) -> tuple[str, ...]:
    """Return the expected claims that only a passage that was cut supports."""
    lost = [claim.text for claim in expected or () if claim.lost]
    if not cut or not lost:
        return ()
    if {normalised(text) for text in cut} & {normalised(text) for text in _gold(case)}:
        return tuple(lost)
    from ragstone.judges.local.support import support  # noqa: PLC0415  (loads the embedded model)

    verdicts = support(lost, cut)
    return tuple(text for text, verdict in zip(lost, verdicts, strict=True) if verdict.verdict == "yes")


def _deep_ranking(case: TestCase) -> list[tuple[str, str]]:
    """Return id and text of each entry of the deeper ranking, as far as they are given."""
    deep = case.metadata.get("retrieved_deep")
    ranking: list[tuple[str, str]] = []
    for item in cast("list[object]", deep) if isinstance(deep, list | tuple) else []:
        if isinstance(item, Mapping):
            fields = cast("Mapping[str, Any]", item)
            ranking.append((str(fields.get("id", "")), _item_text(fields)))
        else:
            ranking.append((str(item), str(item)))
    return ranking


def _rank(case: TestCase, deep: Iterable[tuple[str, str]]) -> int | None:
    relevant_ids = set(relevant_names(case))
    gold = {normalised(text) for text in _gold(case)}
    for rank, (passage_id, text) in enumerate(deep, 1):
        if passage_id in relevant_ids or (text and normalised(text) in gold):
            return rank
    return None
