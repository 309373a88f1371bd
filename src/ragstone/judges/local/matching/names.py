"""Names of several words that the closest sentences do not have: "Johann Hesk" where only the quarries are Hesk's.

Compared word by word, such a name may match in part. Compared as a unit, it is unmatched if none of the closest
sentences has any part of it. A name of the evidence with one of the same words beside it, on either side, is the name
that it displaces. On 1,400 rows of the dev split this occurred 12 times, and none of the 12 was supported.
"""

from collections.abc import Iterator

from ragstone.judges.local.matching.alignment import Alignment, is_content_word
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.text.tokens import WordToken

_CONTEXT_TOKENS = 3
"""Number of tokens on either side of a name that are compared to find the name that it displaces."""


def unmatched_names(alignment: Alignment, evidence: EvidenceIndex) -> list[slice]:
    """Return the spans of the names of several words of which none of the closest sentences has any part."""
    closest_stems = {stem for sentence in alignment.closest_sentences for stem in evidence.stems[sentence]}
    return [
        span
        for span in alignment.name_spans
        if not any(token.stem in closest_stems for token in alignment.tokens[span])
    ]


def displaced_names(alignment: Alignment, evidence: EvidenceIndex) -> Iterator[tuple[WordToken, WordToken]]:
    """Yield the first words of an unmatched name and of a name that it displaces in one of the closest sentences."""
    for statement_name in unmatched_names(alignment, evidence):
        statement_context = _context_stems(alignment.tokens, statement_name)
        for evidence_name in evidence.name_spans:
            in_closest_sentence = any(
                sentence.start <= evidence_name.start and evidence_name.stop <= sentence.stop
                for sentence in alignment.closest_sentences
            )
            not_in_statement = alignment.stems.isdisjoint(evidence.stems[evidence_name])
            if (
                in_closest_sentence
                and not_in_statement
                and statement_context & _context_stems(evidence.tokens, evidence_name)
            ):
                yield alignment.tokens[statement_name][0], evidence.tokens[evidence_name][0]


def _context_stems(tokens: tuple[WordToken, ...], span: slice) -> set[str]:
    """Return the stems of the content words on either side of a name."""
    neighbours = (
        *tokens[max(0, span.start - _CONTEXT_TOKENS) : span.start],
        *tokens[span.stop : span.stop + _CONTEXT_TOKENS],
    )
    return {token.stem for token in neighbours if is_content_word(token)}
