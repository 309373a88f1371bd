"""The answers of the embedded judge, by kind of prompt. Imported on first use, since it loads the text analysis.

The embedded judge reads one question at a time: of a conversation as input, it reads what the user said last.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch

from ragstone import prompts
from ragstone.errors import CannotJudge
from ragstone.judges.local.abstention import abstention
from ragstone.judges.local.claim_support import (
    citation_use,
    cited_support,
    completed_claims,
    contradiction,
    reference_support,
)
from ragstone.judges.local.completion import complete
from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.judgement import Judgement
from ragstone.judges.local.relevance import (
    answer_relevance,
    passage_relevance,
    relevance_of_statements,
    relevance_within_passage,
)
from ragstone.judges.local.review import review
from ragstone.judges.local.statements import claims_with_replies, statements
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness
from ragstone.prompts import (
    Answer,
    AspectVerdict,
    Attribution,
    Attributions,
    CaseReview,
    ClaimLocation,
    ClaimLocations,
    Claims,
    Decision,
    Decisions,
    Grounding,
    PassageStatement,
    PassageStatements,
    Rating,
    Statements,
    Truth,
    Truths,
)
from ragstone.text.languages import count_words, why_not_judged
from ragstone.verdict import VerdictValue

_USER = "user: "
_MARKERS = re.compile(r"(?:\s*\[\d+\])+$")
_MAX_SHORT_WORDS = 5
"""Maximum number of words of a reference that is an answer by itself, not a sentence."""


def last_message(text: str) -> str:
    """Return what the user said last in a transcript; any other text as it is."""
    if not text.startswith((_USER, "assistant: ")):
        return text
    return f"\n{text}".rpartition(f"\n{_USER}")[2] or text


@singledispatch
def answer_prompt(prompt: object) -> Answer:
    """Return the answer to a prompt.

    Raises:
        CannotJudge: the embedded judge cannot answer prompts of this kind.
    """
    kind = type(prompt).__name__
    raise CannotJudge(
        f"The embedded judge cannot answer {kind}, which needs a language model: "
        "choose one, such as --judge openai or judge='ollama:llama3.1'."
    )


@answer_prompt.register
def _(prompt: prompts.ExtractClaims) -> Claims:
    return Claims(claims=completed_claims(last_message(prompt.input), prompt.text))


@answer_prompt.register
def _(prompt: prompts.ExtractStatements) -> Statements:
    return Statements(statements=tuple(statement.text for statement in claims_with_replies(prompt.text)))


@answer_prompt.register
def _(prompt: prompts.ExtractTruths) -> Truths:
    found = [
        Truth(passage=number, fact=statement.text)
        for number, passage in enumerate(prompt.passages, 1)
        for statement in statements(passage)[: prompt.limit]
    ]
    return Truths(truths=tuple(found))


@answer_prompt.register
def _(prompt: prompts.JudgeClaims) -> Decisions:
    question, passages = last_message(prompt.input), prompt.source or prompt.evidence_texts
    if prompt.by_answer:
        return _grounded(reference_support(question, prompt.claims, passages[0]))
    return _grounded(support([complete(question, claim) for claim in prompt.claims], passages))


@answer_prompt.register
def _(prompt: prompts.JudgeAgreement) -> Decisions:
    return _grounded(
        contradiction(complete(last_message(prompt.input), prompt.actual_output), prompt.contexts)
    )


@answer_prompt.register
def _(prompt: prompts.JudgeStatements) -> Decisions:
    return _decisions(relevance_of_statements(last_message(prompt.input), prompt.statements))


@answer_prompt.register
def _(prompt: prompts.JudgeUsefulness) -> Decisions:
    return _decisions(usefulness(last_message(prompt.input), prompt.expected_output, prompt.passages))


@answer_prompt.register
def _(prompt: prompts.AttributeStatements) -> Attributions:
    texts = completed_claims(last_message(prompt.input), prompt.expected_output) or (prompt.expected_output,)
    found = [
        Attribution(
            statement=text,
            reason=result.reason,
            verdict=result.verdict,
            passage=result.passage,
            evidence=_grounding(result),
        )
        for text, result in zip(texts, support(texts, prompt.passages), strict=True)
    ]
    return Attributions(verdicts=tuple(found))


@answer_prompt.register
def _(prompt: prompts.LocateClaims) -> ClaimLocations:
    texts = [complete(last_message(prompt.input), claim) for claim in prompt.claims]
    columns = zip(*(support(texts, [passage]) for passage in prompt.passages), strict=True)
    found = [
        ClaimLocation(passages=_numbers_of("yes", results), undecided=_numbers_of("undecided", results))
        for results in columns
    ]
    return ClaimLocations(verdicts=tuple(found) or (ClaimLocation(passages=()),) * len(texts))


def _numbers_of(verdict: VerdictValue, results: Sequence[Judgement]) -> tuple[int, ...]:
    return tuple(number for number, result in enumerate(results, 1) if result.verdict == verdict)


@answer_prompt.register
def _(prompt: prompts.JudgeCitedSentences) -> Decisions:
    question = last_message(prompt.input)
    results = [
        cited_support(complete(question, _MARKERS.sub("", sentence)), cited, prompt.passages)
        for sentence, cited in zip(prompt.sentences, prompt.cited, strict=True)
    ]
    return Decisions(verdicts=tuple(map(_citation_decision, results)))


def _citation_decision(result: Judgement | None) -> Decision:
    """Return the decision on a sentence: idk if it claims nothing, no if a claim is not supported or contradicted."""
    if result is None:
        return Decision(reason="it claims nothing", verdict="idk")
    verdict = "no" if result.verdict == "idk" else result.verdict
    return Decision(reason=result.reason, verdict=verdict, evidence=_grounding(result))


@answer_prompt.register
def _(prompt: prompts.JudgeCitations) -> Decisions:
    uses = [
        citation_use(complete(last_message(prompt.input), sentence), cited, prompt.passages)
        for sentence, cited in zip(prompt.sentences, prompt.cited, strict=True)
    ]
    return Decisions(verdicts=tuple(Decision(reason=reason, verdict=verdict) for verdict, reason in uses))


@answer_prompt.register
def _(prompt: prompts.JudgeAbstention) -> AspectVerdict:
    if why_not_judged(count_words(prompt.actual_output)):
        raise CannotJudge("The embedded judge recognises refusals only in English: use a language model.")
    declined, reason = abstention(prompt.actual_output)
    return AspectVerdict(reason=reason, verdict="yes" if declined else "no")


@answer_prompt.register
def _(prompt: prompts.RatePassage) -> Rating:
    return _rating(passage_relevance(last_message(prompt.input), [prompt.passage])[0], 3)


@answer_prompt.register
def _(prompt: prompts.RateAnswer) -> Rating:
    return _rating(answer_relevance(last_message(prompt.input), prompt.actual_output), 3)


@answer_prompt.register
def _(prompt: prompts.RateStatement) -> Rating:
    return _rating(support([complete(last_message(prompt.input), prompt.statement)], prompt.passages)[0], 3)


@answer_prompt.register
def _(prompt: prompts.RateAccuracy) -> Rating:
    found = correctness(last_message(prompt.input), prompt.actual_output, prompt.expected_output)
    if found.verdict != "undecided" and not _is_easily_compared(prompt.actual_output, prompt.expected_output):
        reason = "a reference of a sentence or more holds details that are easily overlooked"
        found = replace(found, verdict="undecided", reason=reason)
    return _rating(found, 4)


def _is_easily_compared(answer: str, references: str | Sequence[str]) -> bool:
    """Whether a reference is short, or the very words of the answer, so that no wrong detail is overlooked.

    Beside longer ones, of 66 sound answers and 66 with a flaw that is easy to miss (the cases of `ragstone exam` that
    have a reference, and sixty others), the judge said yes to 57 and 39, no to 5 and 21.
    """
    texts = [references] if isinstance(references, str) else references
    words = [text.casefold().split() for text in texts]
    return answer.casefold().split() in words or any(len(text) <= _MAX_SHORT_WORDS for text in words)


@answer_prompt.register
def _(prompt: prompts.RateContexts) -> Rating:
    found = passage_relevance(last_message(prompt.input), prompt.passages)
    return _rating(max(found, key=lambda relevance: relevance.probability), 2)


@answer_prompt.register
def _(prompt: prompts.RateGrounding) -> Rating:
    texts = completed_claims(last_message(prompt.input), prompt.actual_output) or (prompt.actual_output,)
    results = support(texts, prompt.passages)
    supported, unknown = len(_numbers_of("yes", results)), len(_numbers_of("undecided", results))
    score = 2 if supported == len(texts) else 1 if supported else 0
    undecided = bool(unknown) and (not supported or supported + unknown == len(texts))
    reason = f"{supported} of {len(texts)} claims are found in the passages"
    reason += f", {unknown} too close to call" if unknown else ""
    return Rating(reason=reason, score=score, undecided=undecided)


@answer_prompt.register
def _(prompt: prompts.ReviewCase) -> CaseReview:
    return review(last_message(prompt.input), prompt.actual_output, prompt.passages, prompt.expected_output)


@answer_prompt.register
def _(prompt: prompts.JudgePassages) -> PassageStatements:
    question = last_message(prompt.input)
    found: list[PassageStatement] = []
    for number, passage in enumerate(prompt.passages, 1):
        texts = [statement.text for statement in statements(passage)] or [passage.strip() or "(empty)"]
        for text, result in zip(texts, relevance_within_passage(question, texts, passage), strict=True):
            verdict, reason = result.verdict, result.reason
            found.append(PassageStatement(passage=number, statement=text, reason=reason, verdict=verdict))
    return PassageStatements(verdicts=tuple(found))


def _decisions(results: Iterable[Judgement]) -> Decisions:
    return Decisions(verdicts=tuple(Decision(reason=one.reason, verdict=one.verdict) for one in results))


def _grounded(results: Iterable[Judgement]) -> Decisions:
    found = [Decision(reason=one.reason, verdict=one.verdict, evidence=_grounding(one)) for one in results]
    return Decisions(verdicts=tuple(found))


def _rating(result: Judgement, max_score: int) -> Rating:
    """Return the maximum score for yes, 0 for no, and half of the maximum, rounded down, for the others."""
    score = {"yes": max_score, "no": 0}.get(result.verdict, max_score // 2)
    return Rating(reason=result.reason, score=score, undecided=result.verdict == "undecided")


def _grounding(result: Judgement) -> Grounding:
    return Grounding(
        passage=result.passage,
        span=result.span,
        probability=result.probability,
        contradiction_unknown=result.contradiction_unknown,
    )
