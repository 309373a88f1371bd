"""Support of the claims of a text: by the passages that it cites, by each context, by a reference.

Citations: whether the passages that a sentence cites support it, together and each alone, as defined by ALCE.

A sentence is supported where every claim in it is found in its cited passages together. A citation is sufficient
if its passage alone supports the sentence, and needed if all passages together support it and the others do not.
Where the judge cannot tell whether a passage supports the sentence, it cannot tell what the citation is worth.

Contradiction: does an answer agree with each context?

    yes         the context supports a statement of the answer, and no statement rests on it that is contradicted
    no          the context contradicts a statement
    idk         neither: the context is about something else
    undecided   it cannot be told whether the context contradicts a statement

Each statement is judged by all contexts together, as Faithfulness judges it, and its verdict counts for the context on
which it rests: the two metrics never contradict each other on one sentence.

Claims and references that only their question completes, such as "Goethe" or "Until 5 pm.".

A terse text becomes a statement (`completion`). A short claim that a short reference does not support by itself is
compared with it as an answer to the question (`correctness`): people call "Johann Wolfgang von Goethe" right where the
reference is "Goethe".
"""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.judges.local.completion import complete, is_reply, is_terse
from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.judgement import Judgement
from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import is_by_detector, support
from ragstone.verdict import VerdictValue

_WEAKEST_FIRST = {"no": 0, "idk": 1, "undecided": 2, "yes": 3}


def cited_support(sentence: str, cited: Sequence[int], passages: Sequence[str]) -> Judgement | None:
    """Return the verdict on the weakest claim of a sentence by its cited passages; None where it claims nothing.

    The sentence is without its markers; the numbers of the passages begin with 1.
    """
    claim_texts = [claim.text for claim in claims(sentence)]
    if not claim_texts:
        return None
    if not cited:
        return Judgement("idk", 0.0, "it cites no passage")
    results = support(claim_texts, [passages[number - 1] for number in cited])
    weakest = min(results, key=lambda result: (_WEAKEST_FIRST[result.verdict], result.probability))
    return replace(weakest, passage=None if weakest.passage is None else cited[weakest.passage - 1])


def citation_use(sentence: str, cited: Sequence[int], passages: Sequence[str]) -> tuple[VerdictValue, str]:
    """Return whether the first of the cited passages is sufficient (yes), needed (idk) or useless (no), and why."""

    def verdict(numbers: Sequence[int]) -> VerdictValue:
        result = cited_support(sentence, numbers, passages)
        return "no" if result is None else result.verdict

    alone = verdict(cited[:1])
    if alone == "yes":
        return "yes", "the passage alone supports the sentence"
    together, others = verdict(cited), verdict(cited[1:])
    if together == "yes" and others == "yes" and alone != "undecided":
        return "no", "the other cited passages support the sentence without it"
    if "undecided" in (alone, together, others):
        return "undecided", "too close to call whether the cited passages support the sentence"
    if together != "yes":
        return "no", "the cited passages do not support the whole sentence"
    return "idk", "only together with it do the cited passages support the sentence"


_DECIDING_FIRST = {"no": 0, "undecided": 1, "yes": 2, "idk": 3}
"""Order of the verdicts on the statements that rest on one context; the first one decides."""
_PERHAPS_CONTRADICTED = "not supported, and the judge cannot tell whether it is contradicted"
_ELSEWHERE = Judgement("idk", 0.0, "no statement of the answer rests on it")


def contradiction(answer: str, contexts: Sequence[str]) -> list[Judgement]:
    """Judge the answer against each context: one verdict per context, in order.

    The verdict's `probability` is that of the statement it rests on; `passage` is the context's own number.
    """
    texts = [claim.text for claim in claims(answer)] or [answer]
    results = [
        replace(result, verdict="undecided", reason=_PERHAPS_CONTRADICTED)
        if result.contradiction_unknown
        else result
        for result in support(texts, contexts)
    ]
    unread = all(result.verdict == "undecided" and result.passage is None for result in results)
    return [
        results[0] if unread else _judge_context(texts, results, number)
        for number in range(1, len(contexts) + 1)
    ]


def _judge_context(texts: Sequence[str], results: Sequence[Judgement], number: int) -> Judgement:
    own = [
        (text, result)
        for text, result in zip(texts, results, strict=True)
        if result.passage == number or result.contradiction_unknown
    ]
    if not own:
        return _ELSEWHERE
    text, result = min(own, key=lambda pair: (_DECIDING_FIRST[pair[1].verdict], -pair[1].probability))
    return result if result.verdict == "yes" else replace(result, reason=f"{result.reason}: {text}")


_MAX_SHORT_WORDS = 12
"""Maximum number of words of a short reference or claim."""


def completed_claims(question: str, text: str) -> tuple[str, ...]:
    """Return the claims of an answer; a terse answer is completed by its question."""
    if is_terse(text) and (claims(text) or is_reply(text)):
        return (complete(question, text),)
    return tuple(claim.text for claim in claims(text))


def reference_support(question: str, texts: Sequence[str], reference: str) -> list[Judgement]:
    """Judge whether a reference, itself an answer to the question, supports each claim: one verdict each, in order."""
    evidence = complete(question, reference)
    if is_by_detector():
        return support([complete(question, text) for text in texts], [evidence])
    results = support(texts, [evidence])
    short = {text for text in texts if max(len(text.split()), len(evidence.split())) <= _MAX_SHORT_WORDS}
    return [
        correctness(question, text, reference) if result.verdict != "yes" and text in short else result
        for text, result in zip(texts, results, strict=True)
    ]
