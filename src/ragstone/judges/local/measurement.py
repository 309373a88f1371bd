"""What the encoder says of a statement and its evidence.

It reads each sentence of a statement, and each clause of a sentence that has several, together with all of the evidence
or with the sentences of longer evidence that are most similar to it. A text that is in the evidence word for word is
not read: it is supported.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.alignment import MAX_SENTENCE_TOKENS, Alignment, align, reading_window
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, split_sentence
from ragstone.judges.local.model.decision import StatementScores, log_odds, summarise_outputs
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.text.clauses import split_clauses
from ragstone.text.sentences import sentences
from ragstone.text.tokens import tokens

_COPY_OUTPUTS = (-4.0, -4.0, 4.0)
"""Outputs assumed for a text that is in the evidence word for word."""

Outputs = Mapping[TextPair, tuple[float, ...]]


class AnalysedStatement(NamedTuple):
    """A statement that can be judged: its text, and each of its sentences aligned with the evidence."""

    statement: str
    alignments: tuple[Alignment, ...]


class Measurement(NamedTuple):
    """The inputs of the decision, and the clause that is least likely to be supported, if its support is unlikely."""

    scores: StatementScores
    doubtful_clause: str


class _Reading(NamedTuple):
    """A sentence or a clause, with the pair that the encoder reads, or None for a copy of the evidence."""

    text: str
    pair: TextPair | None


def analyse(statement: str, evidence: EvidenceIndex) -> AnalysedStatement | None:
    """Return a statement with its sentences aligned; None if it has no words or there is no evidence."""
    aligned = (
        align(piece, evidence)
        for sentence in tokens(statement, sentences(statement))
        for piece in split_sentence(sentence, MAX_SENTENCE_TOKENS)
    )
    alignments = tuple(alignment for alignment in aligned if alignment is not None)
    return AnalysedStatement(statement, alignments) if alignments else None


def measure(statements: Sequence[AnalysedStatement], evidence: EvidenceIndex) -> list[Measurement]:
    """Return the measurement of each statement, in order."""
    copies = {_normalise(sentence) for sentence in evidence.sentence_texts}

    def reading(text: str, alignment: Alignment) -> _Reading:
        is_copy = _normalise(text) in copies
        return _Reading(text, None if is_copy else TextPair("", text, reading_window(alignment, evidence)))

    def clauses(sentence: _Reading) -> list[_Reading]:
        parts = split_clauses(sentence.text) if sentence.pair else [sentence.text]
        if len(parts) == 1:
            return [sentence]
        aligned = ((text, align([*chain.from_iterable(tokens(text))], evidence)) for text in parts)
        return [reading(text, alignment) for text, alignment in aligned if alignment]

    sentences_read = [[reading(*sentence) for sentence in _sentences(statement)] for statement in statements]
    clauses_read = [[part for sentence in row for part in clauses(sentence)] for row in sentences_read]
    parts = chain.from_iterable(chain(*rows) for rows in zip(sentences_read, clauses_read, strict=True))
    pairs = [part.pair for part in parts if part.pair]
    outputs = dict(zip(pairs, read_pairs("support", pairs), strict=True))
    return [_measurement(*rows, outputs) for rows in zip(sentences_read, clauses_read, strict=True)]


def _sentences(analysed: AnalysedStatement) -> Iterator[tuple[str, Alignment]]:
    starts = [alignment.tokens[0].start for alignment in analysed.alignments]
    ends = [*starts[1:], len(analysed.statement)]
    for alignment, start, end in zip(analysed.alignments, starts, ends, strict=True):
        yield analysed.statement[start:end].strip(), alignment


def _measurement(
    sentences_read: Sequence[_Reading], clauses_read: Sequence[_Reading], outputs: Outputs
) -> Measurement:
    whole, parts = (
        [outputs[part.pair] if part.pair else _COPY_OUTPUTS for part in row]
        for row in (sentences_read, clauses_read)
    )
    support_log_odds = log_odds(parts)[:, 2]
    worst = int(support_log_odds.argmin())
    in_doubt = len(parts) > 1 and support_log_odds[worst] < 0
    doubtful = explanations.shorten(clauses_read[worst].text) if in_doubt else ""
    return Measurement(summarise_outputs(whole, parts), doubtful)


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")
