"""The review of a whole case by rule, from the verdicts on its claims.

not acceptable   a claim of the output is contradicted
acceptable       every claim is supported, and the output answers the question
cannot tell      else, and for every refusal: the judge cannot tell whether the question could have been answered

sufficient       every claim of the expected output is supported
insufficient     nothing was retrieved
cannot tell      else
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragstone.judges.local.abstention import abstention
from ragstone.judges.local.claim_support import completed_claims
from ragstone.judges.local.completion import complete, is_terse
from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import answer_relevance
from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import support
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.review_case import AnswerLabel, CaseReview, ContextLabel, Fault, FaultKind
from ragstone.text.preparation import prepared

_KINDS: dict[str, FaultKind] = {
    "another number": "wrong_number",
    "another name": "wrong_name",
    "exchanged": "wrong_name",
    "an opposite": "negation",
}
"""Kinds of faults, by the beginning of the reason of a contradiction.

Of the contradictions on the demo and on everyday claims, 9 of 10 with such a word are right, and 14 of 18 without: too
few to decide about an answer.
"""

_ANSWER_BY_CORRECTNESS: dict[str, AnswerLabel] = {"yes": "acceptable", "no": "not_acceptable"}


class _Sufficiency(NamedTuple):
    label: ContextLabel
    deciding: tuple[int, ...] = ()
    rank: int | None = None


def review(
    question: str, output: str, passages: Sequence[str] | None, expected_output: EvidenceText
) -> CaseReview:
    """Return the review of a case.

    The output is empty if only the passages are reviewed; passages are None if they are not known; the expected output
    is empty if there is none.
    """
    found = _sufficiency(question, passages, expected_output)
    label, faults = _answer(question, output, passages, expected_output)
    return CaseReview(
        faults=faults, deciding=found.deciding, answer=label, context=found.label, rank=found.rank
    )


def _answer(
    question: str, output: str, passages: Sequence[str] | None, expected_output: EvidenceText
) -> tuple[AnswerLabel, tuple[Fault, ...]]:
    if not output or abstention(prepared(output, "prose").text)[0]:
        return "cannot_tell", ()
    if passages is None:
        verdict = correctness(question, output, expected_output).verdict
        return _ANSWER_BY_CORRECTNESS.get(verdict, "cannot_tell"), ()
    texts, quotes = zip(*_claims(question, output), strict=True)
    results = support(texts, passages)
    faults = tuple(
        Fault(quote=quote, kind=kind, passage=result.passage, reason=_without_kind(result.reason))
        for quote, result in zip(quotes, results, strict=True)
        for start, kind in _KINDS.items()
        if result.verdict == "no" and result.reason.startswith(start)
    )
    if faults:
        return "not_acceptable", faults
    is_supported = all(result.verdict == "yes" for result in results)
    if is_supported and answer_relevance(question, prepared(output, "prose").text).verdict == "yes":
        return "acceptable", ()
    return "cannot_tell", ()


def _without_kind(reason: str) -> str:
    """Return the reason without `another number:`, which the kind of the fault says."""
    start, _, rest = reason.partition(": ")
    return rest if start in ("another number", "another name") else reason


def _claims(question: str, output: str) -> Iterator[tuple[str, str]]:
    """Yield the claims of an output, each with its words in the output; an output without claims is one."""
    prose = prepared(output, "prose")
    found = claims(prose.text)
    if is_terse(prose.text) or not found:
        yield complete(question, prose.text), output.strip()
        return
    for claim in found:
        span = prose.original_span(claim.start, claim.end)
        yield claim.text, output[slice(*span)] if span else claim.text


def _sufficiency(
    question: str, passages: Sequence[str] | None, expected_output: EvidenceText
) -> _Sufficiency:
    if passages is not None and not any(map(str.strip, passages)):
        return _Sufficiency("insufficient")
    if not passages or not expected_output:
        return _Sufficiency("cannot_tell")
    accepted = (expected_output,) if isinstance(expected_output, str) else expected_output
    return next(
        (found for text in accepted if (found := _support_of(question, passages, text)) is not None),
        _Sufficiency("cannot_tell"),
    )


def _support_of(question: str, passages: Sequence[str], expected_output: str) -> _Sufficiency | None:
    """Return the passages that support all claims of an expected output; None if not all are supported."""
    results = support(completed_claims(question, prepared(expected_output, "prose").text), passages)
    if not results or any(result.verdict != "yes" for result in results):
        return None
    deciding = [result.passage for result in results if result.passage is not None]
    return _Sufficiency("sufficient", tuple(sorted(set(deciding))), deciding[0] if deciding else None)
