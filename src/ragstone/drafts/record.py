"""Conversion of kept candidates to test cases: question, expected output, relevant ids and provenance."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ragstone.case import TestCase, Turn
from ragstone.drafts.candidate import DraftCandidate, EvidenceSpan
from ragstone.drafts.checks.outcome import RULES, CheckedCandidate
from ragstone.drafts.corpus.index import CorpusIndex

EVIDENCE_GRADE, OTHER_GRADE = 2, 1
"""Grades in `relevant_ids`: of the evidence, and of other passages that also answer the question."""


@dataclass(frozen=True, slots=True)
class DraftOrigin:
    """Provenance shared by all rows of a set.

    `judge` is empty if they were written by rules only; `prompts` holds the digest of each prompt by name.
    """

    judge: str
    seed: int
    prompts: Mapping[str, str]


def make_cases(
    kept: Sequence[CheckedCandidate], index: CorpusIndex, origin: DraftOrigin
) -> tuple[TestCase, ...]:
    """Return the test cases of a set, each with its sampling weight."""
    strata = [index.strata[question.candidate.passages[0]] for question in kept]
    counts = Counter(strata)
    weights = [index.stratum_sizes[stratum] / counts[stratum] for stratum in strata]
    return tuple(
        _case(question, index, origin, weight) for question, weight in zip(kept, weights, strict=True)
    )


def _case(kept: CheckedCandidate, index: CorpusIndex, origin: DraftOrigin, weight: float) -> TestCase:
    candidate, answerable = kept.candidate, kept.candidate.answerable
    by_rules = candidate.method.startswith("rules")
    document, topic = index.strata[candidate.passages[0]]
    relevant = {index.passages[passage].id: OTHER_GRADE for passage in kept.others}
    relevant |= {index.passages[passage].id: EVIDENCE_GRADE for passage in candidate.passages}
    texts = tuple(index.passages[passage].text for passage in candidate.passages)
    parametric = any(outcome.check == "closed_book" and outcome.verdict == "no" for outcome in kept.outcomes)
    provenance = {
        "kind": candidate.kind,
        "written_by": RULES if by_rules else origin.judge,
        "method": candidate.method,
        "prompts": dict(origin.prompts),
        "seed": origin.seed,
        "corpus": index.digest,
        "language": candidate.language,
        "evidence": [_evidence(span, index) for span in candidate.evidence],
        "checks": {outcome.check: outcome.stored() for outcome in kept.outcomes},
        "bm25_rank": best_rank(kept, index) if answerable else None,
        "stratum": {"document": document, "topic": topic},
        "weight": round(weight, 6),
        "withheld": candidate.withheld,
        "review": {"state": "open"},
    }
    return TestCase(
        input=candidate.question,
        expected_output=(candidate.answer or None) if answerable else None,
        context=texts if answerable else None,
        relevant_ids=relevant if answerable else None,
        turns=_turns(candidate),
        tags=(
            candidate.kind,
            "written by rules" if by_rules else "written by a model",
            *(["parametric"] if parametric else []),
        ),
        metadata={"answerable": answerable, "draft": provenance},
        id=candidate.key,
    )


def _turns(candidate: DraftCandidate) -> tuple[Turn, ...] | None:
    if candidate.opening is None:
        return None
    asked, answered = candidate.opening
    return (
        Turn(role="user", content=asked),
        Turn(role="assistant", content=answered),
        Turn(role="user", content=candidate.question),
    )


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


def best_rank(kept: CheckedCandidate, index: CorpusIndex) -> int | None:
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
