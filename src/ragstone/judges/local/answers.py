"""The answers of the embedded judge, by kind of prompt. Imported on first use, since it loads the text analysis.

The embedded judge reads one question at a time: of a conversation as input, it reads what the user said last.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch

from ragstone.errors import CannotJudge
from ragstone.judges.local.abstention import abstention
from ragstone.judges.local.citations import citation_use, cited_support
from ragstone.judges.local.completion import complete
from ragstone.judges.local.contradiction import contradiction
from ragstone.judges.local.correctness import Correctness, correctness
from ragstone.judges.local.references import completed_claims, reference_support
from ragstone.judges.local.relevance import (
    Relevance,
    answer_relevance,
    passage_relevance,
    relevance_of_statements,
    relevance_within_passage,
)
from ragstone.judges.local.review import review
from ragstone.judges.local.statements import claims_with_replies, statements
from ragstone.judges.local.support import Support, support
from ragstone.judges.local.usefulness import usefulness
from ragstone.prompts import (
    Answer,
    AspectVerdict,
    AttributeStatements,
    Attribution,
    Attributions,
    CaseReview,
    ClaimLocation,
    ClaimLocations,
    Claims,
    Decision,
    Decisions,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    Grounding,
    JudgeAbstention,
    JudgeAgreement,
    JudgeCitations,
    JudgeCitedSentences,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
    JudgeUsefulness,
    LocateClaims,
    PassageStatement,
    PassageStatements,
    RateAccuracy,
    RateAnswer,
    RateContexts,
    RateGrounding,
    RatePassage,
    RateStatement,
    Rating,
    ReviewCase,
    Statements,
    Truth,
    Truths,
)
from ragstone.text.languages import count_words, why_not_judged

_USER = "user: "
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
def _(prompt: ExtractClaims) -> Claims:
    return Claims(claims=completed_claims(last_message(prompt.input), prompt.text))


@answer_prompt.register
def _(prompt: ExtractStatements) -> Statements:
    return Statements(statements=tuple(statement.text for statement in claims_with_replies(prompt.text)))


@answer_prompt.register
def _(prompt: ExtractTruths) -> Truths:
    return Truths(
        truths=tuple(
            Truth(passage=number, fact=statement.text)
            for number, passage in enumerate(prompt.passages, 1)
            for statement in statements(passage)[: prompt.limit]
        )
    )


@answer_prompt.register
def _(prompt: JudgeClaims) -> Decisions:
    passages = prompt.source or prompt.evidence_texts
    results = (
        reference_support(last_message(prompt.input), prompt.claims, passages[0])
        if prompt.by_answer
        else support(_completed(last_message(prompt.input), prompt.claims), passages)
    )
    return Decisions(verdicts=tuple(map(_support_decision, results)))


@answer_prompt.register
def _(prompt: JudgeAgreement) -> Decisions:
    return Decisions(
        verdicts=tuple(
            map(
                _support_decision,
                contradiction(complete(last_message(prompt.input), prompt.actual_output), prompt.contexts),
            )
        )
    )


@answer_prompt.register
def _(prompt: JudgeStatements) -> Decisions:
    return Decisions(
        verdicts=tuple(
            map(_relevance_decision, relevance_of_statements(last_message(prompt.input), prompt.statements))
        )
    )


@answer_prompt.register
def _(prompt: JudgeUsefulness) -> Decisions:
    return Decisions(
        verdicts=tuple(
            map(
                _relevance_decision,
                usefulness(last_message(prompt.input), prompt.expected_output, prompt.passages),
            )
        )
    )


@answer_prompt.register
def _(prompt: AttributeStatements) -> Attributions:
    texts = completed_claims(last_message(prompt.input), prompt.expected_output) or (prompt.expected_output,)
    return Attributions(
        verdicts=tuple(
            Attribution(
                statement=text,
                reason=result.reason,
                verdict=result.verdict,
                passage=result.passage,
                evidence=_grounding(result),
            )
            for text, result in zip(texts, support(texts, prompt.passages), strict=True)
        )
    )


@answer_prompt.register
def _(prompt: LocateClaims) -> ClaimLocations:
    texts = _completed(last_message(prompt.input), prompt.claims)
    results_by_passage = [support(texts, [passage]) for passage in prompt.passages]
    return ClaimLocations(
        verdicts=tuple(
            ClaimLocation(
                passages=tuple(
                    number
                    for number, results in enumerate(results_by_passage, 1)
                    if results[index].verdict == "yes"
                ),
                undecided=tuple(
                    number
                    for number, results in enumerate(results_by_passage, 1)
                    if results[index].verdict == "undecided"
                ),
            )
            for index in range(len(texts))
        )
    )


@answer_prompt.register
def _(prompt: JudgeCitedSentences) -> Decisions:
    markers = re.compile(r"(?:\s*\[\d+\])+$")
    return Decisions(
        verdicts=tuple(
            _citation_decision(
                cited_support(
                    complete(last_message(prompt.input), markers.sub("", sentence)), cited, prompt.passages
                )
            )
            for sentence, cited in zip(prompt.sentences, prompt.cited, strict=True)
        )
    )


def _citation_decision(result: Support | None) -> Decision:
    """Return the decision on a sentence: idk if it claims nothing, no if a claim is not supported or contradicted."""
    if result is None:
        return Decision(reason="it claims nothing", verdict="idk")
    verdict = "no" if result.verdict == "idk" else result.verdict
    return Decision(reason=result.reason, verdict=verdict, evidence=_grounding(result))


@answer_prompt.register
def _(prompt: JudgeCitations) -> Decisions:
    uses = [
        citation_use(complete(last_message(prompt.input), sentence), cited, prompt.passages)
        for sentence, cited in zip(prompt.sentences, prompt.cited, strict=True)
    ]
    return Decisions(verdicts=tuple(Decision(reason=reason, verdict=verdict) for verdict, reason in uses))


@answer_prompt.register
def _(prompt: JudgeAbstention) -> AspectVerdict:
    if why_not_judged(count_words(prompt.actual_output)):
        raise CannotJudge("The embedded judge recognises refusals only in English: use a language model.")
    refusal = abstention(prompt.actual_output)
    return AspectVerdict(reason=refusal.reason, verdict="yes" if refusal.declined else "no")


@answer_prompt.register
def _(prompt: RatePassage) -> Rating:
    return _rating(passage_relevance(last_message(prompt.input), [prompt.passage])[0], 3)


@answer_prompt.register
def _(prompt: RateAnswer) -> Rating:
    return _rating(answer_relevance(last_message(prompt.input), prompt.actual_output), 3)


@answer_prompt.register
def _(prompt: RateStatement) -> Rating:
    return _rating(support([complete(last_message(prompt.input), prompt.statement)], prompt.passages)[0], 3)


@answer_prompt.register
def _(prompt: RateAccuracy) -> Rating:
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
    words = [
        text.casefold().split() for text in ([references] if isinstance(references, str) else references)
    ]
    return answer.casefold().split() in words or any(len(text) <= _MAX_SHORT_WORDS for text in words)


@answer_prompt.register
def _(prompt: RateContexts) -> Rating:
    best = max(
        passage_relevance(last_message(prompt.input), prompt.passages), key=lambda relevance: relevance.score
    )
    return _rating(best, 2)


@answer_prompt.register
def _(prompt: RateGrounding) -> Rating:
    texts = completed_claims(last_message(prompt.input), prompt.actual_output) or (prompt.actual_output,)
    results = support(texts, prompt.passages)
    supported = sum(result.verdict == "yes" for result in results)
    unknown = sum(result.verdict == "undecided" for result in results)
    score = 2 if supported == len(texts) else 1 if supported else 0
    undecided = bool(unknown) and (not supported or supported + unknown == len(texts))
    reason = f"{supported} of {len(texts)} claims are found in the passages"
    return Rating(
        reason=f"{reason}, {unknown} too close to call" if unknown else reason,
        score=score,
        undecided=undecided,
    )


@answer_prompt.register
def _(prompt: ReviewCase) -> CaseReview:
    return review(last_message(prompt.input), prompt.actual_output, prompt.passages, prompt.expected_output)


@answer_prompt.register
def _(prompt: JudgePassages) -> PassageStatements:
    return PassageStatements(
        verdicts=tuple(
            PassageStatement(
                passage=number, statement=text, reason=relevance.reason, verdict=relevance.verdict
            )
            for number, passage in enumerate(prompt.passages, 1)
            for text, relevance in _within_passage(last_message(prompt.input), passage)
        )
    )


def _completed(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return texts of which each terse one is completed by the question that it answers."""
    return tuple(complete(question, text) for text in texts)


def _within_passage(question: str, passage: str) -> Iterable[tuple[str, Relevance]]:
    texts = [statement.text for statement in statements(passage)] or [passage.strip() or "(empty)"]
    return zip(texts, relevance_within_passage(question, texts, passage), strict=True)


def _support_decision(result: Support) -> Decision:
    return Decision(reason=result.reason, verdict=result.verdict, evidence=_grounding(result))


def _relevance_decision(relevance: Relevance) -> Decision:
    return Decision(reason=relevance.reason, verdict=relevance.verdict)


def _rating(result: Support | Relevance | Correctness, max_score: int) -> Rating:
    """Return the maximum score for yes, 0 for no, and half of the maximum, rounded down, for the others."""
    score = {"yes": max_score, "no": 0}.get(result.verdict, max_score // 2)
    return Rating(reason=result.reason, score=score, undecided=result.verdict == "undecided")


def _grounding(result: Support) -> Grounding:
    return Grounding(
        passage=result.passage,
        span=result.span,
        probability=result.probability,
        contradiction_unknown=result.contradiction_unknown,
    )
