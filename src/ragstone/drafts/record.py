"""Conversion of kept candidates to test cases: question, expected output, relevant ids and provenance."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ragstone.case import TestCase, Turn
from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.checks.outcome import CheckOutcome
from ragstone.drafts.corpus.index import CorpusIndex, Stratum

EVIDENCE_GRADE, OTHER_GRADE = 2, 1
"""Grades in `relevant_ids`: of the evidence, and of other passages that also answer the question."""


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question that passed its checks.

    Attributes:
        candidate: the question.
        outcomes: the outcomes of the checks.
        others: other passages that also answer the question.
    """

    candidate: DraftCandidate
    outcomes: tuple[CheckOutcome, ...]
    others: tuple[int, ...] = ()

    @property
    def passes(self) -> int:
        """Number of checks that passed."""
        return sum(outcome.verdict == "yes" for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class DraftOrigin:
    """Provenance shared by all rows of a set.

    Attributes:
        judge: the name of the judge that wrote the questions; empty if they were written by rules only.
        seed: the seed.
        prompts: digest of each prompt that was used, by name.
    """

    judge: str
    seed: int
    prompts: Mapping[str, str]


def make_cases(kept: Sequence[KeptQuestion], index: CorpusIndex, origin: DraftOrigin) -> tuple[TestCase, ...]:
    """Return the test cases of a set, each with its sampling weight."""
    sizes = index.stratum_sizes
    strata = [index.strata[question.candidate.passages[0]] for question in kept]
    counts = Counter(strata)
    return tuple(
        _case(question, index, origin, (stratum, sizes[stratum] / counts[stratum]))
        for question, stratum in zip(kept, strata, strict=True)
    )


def _case(
    kept: KeptQuestion, index: CorpusIndex, origin: DraftOrigin, stratum_weight: tuple[Stratum, float]
) -> TestCase:
    candidate = kept.candidate
    relevant = {index.passages[passage].id: OTHER_GRADE for passage in kept.others}
    relevant |= {index.passages[passage].id: EVIDENCE_GRADE for passage in candidate.passages}
    return TestCase(
        input=candidate.question,
        expected_output=(candidate.answer or None) if candidate.answerable else None,
        context=tuple(index.passages[passage].text for passage in candidate.passages)
        if candidate.answerable
        else None,
        relevant_ids=relevant if candidate.answerable else None,
        turns=_turns(candidate),
        tags=(candidate.kind, _WRITTEN_TAGS[_by_rules(candidate)], *_extra_tags(kept)),
        metadata={
            "answerable": candidate.answerable,
            "draft": _provenance(kept, index, origin, stratum_weight),
        },
        id=candidate.key,
    )


_WRITTEN_TAGS = {True: "written by rules", False: "written by a model"}


def _by_rules(candidate: DraftCandidate) -> bool:
    return candidate.method.startswith("rules")


def _extra_tags(kept: KeptQuestion) -> tuple[str, ...]:
    """Return the tag of a question that a model answers without the passages."""
    parametric = any(outcome.check == "closed_book" and outcome.verdict == "no" for outcome in kept.outcomes)
    return ("parametric",) if parametric else ()


def _turns(candidate: DraftCandidate) -> tuple[Turn, ...] | None:
    if candidate.opening is None:
        return None
    asked, answered = candidate.opening
    return (
        Turn(role="user", content=asked),
        Turn(role="assistant", content=answered),
        Turn(role="user", content=candidate.question),
    )


def _provenance(
    kept: KeptQuestion, index: CorpusIndex, origin: DraftOrigin, stratum_weight: tuple[Stratum, float]
) -> dict[str, Any]:
    candidate, ((document, topic), weight) = kept.candidate, stratum_weight
    return {
        "kind": candidate.kind,
        "written_by": "rules" if _by_rules(candidate) else origin.judge,
        "method": candidate.method,
        "prompts": dict(origin.prompts),
        "seed": origin.seed,
        "corpus": index.digest,
        "language": candidate.language,
        "evidence": [_evidence(span, index) for span in candidate.evidence],
        "checks": {outcome.check: outcome.stored() for outcome in kept.outcomes},
        "bm25_rank": best_rank(kept, index) if candidate.answerable else None,
        "stratum": {"document": document, "topic": topic},
        "weight": round(weight, 6),
        "withheld": candidate.withheld,
        "review": {"state": "open"},
    }


def _evidence(span: EvidenceSpan, index: CorpusIndex) -> dict[str, Any]:
    passage, quote = index.passages[span.passage], span.quote(index.passages)
    return {
        "document": passage.document,
        "passage": passage.id,
        "start": span.start,
        "end": span.end,
        "quote": quote,
        "sha256": sha256(quote.encode("utf-8", "surrogatepass")).hexdigest(),
    }


def best_rank(kept: KeptQuestion, index: CorpusIndex) -> int | None:
    """Return the best BM25 rank of the relevant passages; None if BM25 finds none of them."""
    candidate = kept.candidate
    ranks = [index.bm25.rank(candidate.asked, passage) for passage in (*candidate.passages, *kept.others)]
    return min((rank for rank in ranks if rank is not None), default=None)


def write_rows(cases: Iterable[TestCase]) -> str:
    """Return the test cases as JSON lines that `ragstone run` reads; equal cases give equal bytes."""
    fields = ("id", "input", "turns", "expected_output", "context", "relevant_ids", "tags", "metadata")
    rows: list[str] = []
    for case in cases:
        dumped = case.model_dump(mode="json", exclude_defaults=True)
        ordered = {name: dumped[name] for name in fields if name in dumped}
        rows.append(json.dumps(ordered | dumped, ensure_ascii=False, separators=(", ", ": ")) + "\n")
    return "".join(rows)
