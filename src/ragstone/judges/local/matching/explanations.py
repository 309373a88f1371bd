"""The reason of a verdict in words: what contradicts a statement, or what the evidence lacks."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.conflicts import conflict_features, opposite_words
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.matching.names import displaced_names
from ragstone.judges.local.matching.number_ranges import NumberRanges, lies_within_bound
from ragstone.judges.local.matching.replacements import replaced_words
from ragstone.judges.local.matching.roles import exchanged_roles, replaced_subject
from ragstone.judges.local.matching.substitutes import Substitute, find_substitutes
from ragstone.judges.local.matching.swaps import exchanged_words
from ragstone.text.lexicon import is_negation
from ragstone.text.tokens import WordToken

_MAX_WORDS = 4
"""Maximum number of missing words that a reason names."""
_MIN_MATCH = 0.5
"""Match score below which a word counts as missing."""
_MAX_QUOTE_LENGTH = 120
"""Maximum number of characters of a sentence that a reason quotes."""
_NEGATION_SCOPE = 4
"""Number of tokens after a negation in which a number belongs to the negated phrase."""


class Counterevidence(NamedTuple):
    """What in the evidence contradicts a statement.

    Attributes:
        kind: another number, name or word in the same context, an opposite, or a negation that only the statement
            (`negated`) or only the passage (`denied`) has.
        text: a description for the reason of a verdict.
    """

    kind: Literal["number", "name", "word", "opposite", "negated", "denied"]
    text: str


def find_counterevidence(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> Counterevidence | None:
    """Return the first counterevidence to the aligned sentences, None without any."""
    return next(
        (
            counterevidence
            for alignment in alignments
            if (counterevidence := _counterevidence(alignment, evidence))
        ),
        None,
    )


def describe_counterevidence(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the counterevidence or the displaced name in words, or an empty text."""
    counterevidence = find_counterevidence(alignments, evidence)
    return counterevidence.text if counterevidence else describe_displaced_name(alignments, evidence)


def describe_contradiction(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return the counterevidence in words, or a quotation of the sentence closest to the statement."""
    return describe_counterevidence(alignments, evidence) or _quote_nearest_sentence(alignments, evidence)


def _quote_nearest_sentence(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    sentence_scores = max(
        (alignment.weights @ alignment.match_by_sentence for alignment in alignments), key=max
    )
    text = " ".join(evidence.sentence_texts[int(sentence_scores.argmax())].split())
    return f'the passage says otherwise: "{shorten(text)}"'


def shorten(text: str) -> str:
    """Return the beginning of a text, cut at a word."""
    return text if len(text) <= _MAX_QUOTE_LENGTH else f"{text[:_MAX_QUOTE_LENGTH].rsplit(' ', 1)[0]} …"


def _counterevidence(alignment: Alignment, evidence: EvidenceIndex) -> Counterevidence | None:
    if substitutes := [
        substitute
        for substitute in find_substitutes(alignment, evidence)
        if not _is_within_bound(substitute, alignment, evidence)
    ]:
        strongest = max(substitutes, key=lambda substitute: (substitute.kind != "word", substitute.strength))
        kind = "an opposite" if strongest.kind == "opposite" else f"another {strongest.kind}"
        return Counterevidence(
            strongest.kind, f"{kind}: {_describe_words(strongest.statement_word, strongest.evidence_word)}"
        )
    if opposite_pairs := opposite_words(alignment, evidence):
        statement_word, evidence_word, _ = max(opposite_pairs, key=lambda pair: pair[2])
        return Counterevidence("opposite", f"an opposite: {_describe_words(statement_word, evidence_word)}")
    features = conflict_features(alignment, evidence)
    if features["negated_only_here"] and not _denies_another_number(alignment, evidence):
        return Counterevidence("negated", "negation: only the statement denies it")
    if features["negated_only_there"]:
        return Counterevidence("denied", "negation: only the passage denies it")
    return None


def _describe_words(statement_word: WordToken, evidence_word: WordToken) -> str:
    return f'the statement says "{statement_word.word}", the passage "{evidence_word.word}"'


def _is_within_bound(substitute: Substitute, alignment: Alignment, evidence: EvidenceIndex) -> bool:
    """Whether the evidence states a bound that allows the number: "60 or more" allows 75."""
    if substitute.kind != "number":
        return False
    i = next(i for i, token in enumerate(alignment.tokens) if token is substitute.statement_word)
    return find_bound(alignment, i, evidence) is not None


def find_bound(alignment: Alignment, i: int, evidence: EvidenceIndex) -> WordToken | None:
    """Return the number of the evidence whose bound allows the i-th token, a number; None where there is none."""
    statement_ranges = NumberRanges(alignment.tokens)
    bounds = (
        evidence_ranges.tokens[position]
        for evidence_ranges in (
            NumberRanges(evidence.tokens[sentence]) for sentence in alignment.closest_sentences
        )
        for position in range(len(evidence_ranges.tokens))
        if lies_within_bound(statement_ranges, i, evidence_ranges, position)
    )
    return next(bounds, None)


def _denies_another_number(alignment: Alignment, evidence: EvidenceIndex) -> bool:
    """Whether the statement negates a number that the evidence lacks: "not two tablets" may mean one tablet."""
    evidence_stems = {token.stem for token in evidence.tokens[alignment.best_window]}
    return any(
        token.is_number and token.stem not in evidence_stems
        for i, negation in enumerate(alignment.tokens)
        if is_negation(negation.norm)
        for token in alignment.tokens[i + 1 : i + 1 + _NEGATION_SCOPE]
    )


def describe_displaced_name(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which name of the evidence a name of the statement displaces, or an empty text."""
    for alignment in alignments:
        for statement_word, evidence_word in displaced_names(alignment, evidence):
            return f"another name: {_describe_words(statement_word, evidence_word)}"
    return ""


def describe_exchange(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which words of the statement are exchanged, or which other subject it has, or an empty text."""
    for alignment in alignments:
        for agent, patient in exchanged_roles(alignment, evidence):
            return f'exchanged: in the passage "{patient.word}" does it, in the statement "{agent.word}"'
        for statement_word, evidence_word in replaced_subject(alignment, evidence):
            return f"another name: {_describe_words(statement_word, evidence_word)}"
        for first, second in exchanged_words(alignment, evidence):
            return f'exchanged: the passage has "{first.word}" and "{second.word}" the other way round'
    return ""


def describe_replacement(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> str:
    """Return which number or name of the evidence an otherwise literal copy replaces, or an empty text."""
    for alignment in alignments:
        for word, other in replaced_words(alignment, evidence):
            return f"another {'number' if word.is_number else 'name'}: {_describe_words(word, other)}"
    return ""


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
