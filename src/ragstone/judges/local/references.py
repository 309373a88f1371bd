"""Claims and references that only their question completes, such as "Goethe" or "Until 5 pm.".

A terse text becomes a statement (`completion`). A short claim that a short reference does not support by itself is
compared with it as an answer to the question (`correctness`): people call "Johann Wolfgang von Goethe" right where the
reference is "Goethe".
"""

from collections.abc import Sequence

from ragstone.judges.local.completion import complete, is_reply, is_terse
from ragstone.judges.local.correctness import Correctness, correctness
from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import Support, is_by_detector, support

_MAX_SHORT_WORDS = 12
"""Maximum number of words of a short reference or claim."""


def completed_claims(question: str, text: str) -> tuple[str, ...]:
    """Return the claims of an answer; a terse answer is completed by its question."""
    if is_terse(text) and (claims(text) or is_reply(text)):
        return (complete(question, text),)
    return tuple(claim.text for claim in claims(text))


def reference_support(question: str, texts: Sequence[str], reference: str) -> list[Support]:
    """Judge whether a reference, itself an answer to the question, supports each claim: one verdict each, in order."""
    evidence = complete(question, reference)
    if is_by_detector():
        return support([complete(question, text) for text in texts], [evidence])
    results = support(texts, [evidence])
    return [
        result
        if result.verdict == "yes" or not _is_short(text, evidence)
        else _as_support(correctness(question, text, reference))
        for text, result in zip(texts, results, strict=True)
    ]


def _is_short(*texts: str) -> bool:
    return all(len(text.split()) <= _MAX_SHORT_WORDS for text in texts)


def _as_support(result: Correctness) -> Support:
    return Support(result.verdict, result.probability, None, None, result.reason)
