"""The reason of a verdict in words: what contradicts a statement, or what the evidence lacks."""

from collections.abc import Sequence

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.edits import exchanged_words, replaced_words
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.substitutes import find_substitutes
from ragstone.text.tokens import WordToken

_MAX_WORDS = 4
"""Maximum number of missing words that a reason names."""
_MIN_MATCH = 0.5
"""Match score below which a word counts as missing."""
_MAX_QUOTE_LENGTH = 120
"""Maximum number of characters of a sentence that a reason quotes."""


def describe_edited_copy(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return what was edited in a sentence that is otherwise copied from the evidence, or an empty text."""
    for alignment in alignments:
        for word, other in replaced_words(alignment, evidence):
            return f"another {'number' if word.is_number else 'name'}: {_describe_words(word, other)}"
        for first, second in exchanged_words(alignment, evidence):
            return f'exchanged: the passage has "{first.word}" and "{second.word}" the other way round'
    return ""


def describe_contradiction(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the number, name or opposite in the place of a word, or a quotation of the closest sentence."""
    found = (substitute for alignment in alignments for substitute in find_substitutes(alignment, evidence))
    substitutes = [substitute for substitute in found if substitute.kind != "word"]
    if not substitutes:
        scores = max((alignment.weights @ alignment.match_by_sentence for alignment in alignments), key=max)
        text = " ".join(evidence.sentence_texts[int(scores.argmax())].split())
        return f'the passage says otherwise: "{shorten(text)}"'
    strongest = max(substitutes, key=lambda substitute: substitute.strength)
    kind = "an opposite" if strongest.kind == "opposite" else f"another {strongest.kind}"
    return f"{kind}: {_describe_words(strongest.statement_word, strongest.evidence_word)}"


def shorten(text: str) -> str:
    """Return the beginning of a text, cut at a word."""
    return text if len(text) <= _MAX_QUOTE_LENGTH else f"{text[:_MAX_QUOTE_LENGTH].rsplit(' ', 1)[0]} …"


def _describe_words(statement_word: WordToken, evidence_word: WordToken) -> str:
    return f'the statement says "{statement_word.word}", the passage "{evidence_word.word}"'


def describe_missing_words(alignments: Sequence[Alignment]) -> str:
    """Return which content words the evidence lacks."""
    words = [
        t.word
        for alignment in alignments
        for t, match in zip(alignment.content_words, alignment.match, strict=True)
        if match < _MIN_MATCH
    ]
    if not words:
        return "all words are found, but not said together"
    quoted = ", ".join(f'"{word}"' for word in dict.fromkeys(words[:_MAX_WORDS]))
    return f"{quoted}{' and more are' if len(words) > _MAX_WORDS else ' is' if len(words) == 1 else ' are'} not found"
