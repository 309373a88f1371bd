"""What the encoder says of a statement and its evidence.

It reads each sentence of a statement, and each clause of a sentence that has several, together with all of the evidence
or with the sentences of longer evidence that are most similar to it. A text that is in the evidence word for word is
not read: it is supported.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.alignment import Alignment, align, reading_window, split_long_sentence
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.model.decision import StatementScores, log_odds, summarise_outputs
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.text.clauses import split_clauses
from ragstone.text.sentences import sentences
from ragstone.text.tokens import tokens

_COPY_OUTPUTS = (-4.0, -4.0, 4.0)
"""Outputs assumed for a text that is in the evidence word for word."""

Outputs = Mapping[TextPair, tuple[float, ...]]


class AnalysedStatement(NamedTuple):
    """A statement that can be judged.

    Attributes:
        statement: its text.
        alignments: each of its sentences, aligned with the evidence; never empty.
    """

    statement: str
    alignments: tuple[Alignment, ...]


class Measurement(NamedTuple):
    """The measurement of a statement.

    Attributes:
        scores: the inputs of the decision.
        doubtful_clause: of several clauses the one that is least likely to be supported, shortened, if its support is
            unlikely; else empty.
    """

    scores: StatementScores
    doubtful_clause: str


class _EncoderInput(NamedTuple):
    """A sentence or a clause, with the pair that the encoder reads, or None for a copy of the evidence."""

    text: str
    pair: TextPair | None

    def outputs(self, outputs: Outputs) -> tuple[float, ...]:
        """Return the encoder's outputs for it, or those assumed."""
        return outputs[self.pair] if self.pair else _COPY_OUTPUTS


class _Sentence(NamedTuple):
    """A sentence and each of its clauses; the sentence again if it has only one."""

    whole: _EncoderInput
    clauses: list[_EncoderInput]


def analyse(statement: str, evidence: EvidenceIndex) -> AnalysedStatement | None:
    """Return a statement with its sentences aligned; None if it has no words or there is no evidence."""
    aligned = (
        align(piece, evidence)
        for sentence in tokens(statement, sentences(statement))
        for piece in split_long_sentence(sentence)
    )
    alignments = tuple(alignment for alignment in aligned if alignment is not None)
    return AnalysedStatement(statement, alignments) if alignments else None


def measure(statements: Sequence[AnalysedStatement], evidence: EvidenceIndex) -> list[Measurement]:
    """Return the measurement of each statement, in order."""
    evidence_sentences = {_normalise(sentence) for sentence in evidence.sentence_texts}
    sentences_by_statement = [
        list(_sentence_inputs(statement, evidence, evidence_sentences)) for statement in statements
    ]
    parts = [
        part
        for inputs in sentences_by_statement
        for sentence in inputs
        for part in (sentence.whole, *sentence.clauses)
    ]
    pairs = [part.pair for part in parts if part.pair]
    outputs = dict(zip(pairs, read_pairs("support", pairs), strict=True))
    return [_measurement(inputs, outputs) for inputs in sentences_by_statement]


def _measurement(inputs: Sequence[_Sentence], outputs: Outputs) -> Measurement:
    parts = [part for sentence in inputs for part in sentence.clauses]
    scores = summarise_outputs(
        [sentence.whole.outputs(outputs) for sentence in inputs], [part.outputs(outputs) for part in parts]
    )
    return Measurement(scores, _find_doubtful_clause(parts, outputs) if len(parts) > 1 else "")


def _find_doubtful_clause(parts: Sequence[_EncoderInput], outputs: Outputs) -> str:
    support_log_odds = log_odds([part.outputs(outputs) for part in parts])[:, 2]
    worst = int(support_log_odds.argmin())
    return explanations.shorten(parts[worst].text) if support_log_odds[worst] < 0 else ""


def _sentence_inputs(
    analysed: AnalysedStatement, evidence: EvidenceIndex, evidence_sentences: Collection[str]
) -> Iterator[_Sentence]:
    """Yield the encoder's inputs for each sentence of a statement."""
    starts = [alignment.tokens[0].start for alignment in analysed.alignments]
    ends = [*starts[1:], len(analysed.statement)]
    for alignment, start, end in zip(analysed.alignments, starts, ends, strict=True):
        text = analysed.statement[start:end].strip()
        whole = _encoder_input(text, alignment, evidence, evidence_sentences)
        parts = split_clauses(text) if whole.pair else [text]
        yield _Sentence(
            whole, [whole] if len(parts) == 1 else [*_clause_inputs(parts, evidence, evidence_sentences)]
        )


def _clause_inputs(
    parts: Sequence[str], evidence: EvidenceIndex, evidence_sentences: Collection[str]
) -> Iterator[_EncoderInput]:
    for text in parts:
        if alignment := align([*chain.from_iterable(tokens(text))], evidence):
            yield _encoder_input(text, alignment, evidence, evidence_sentences)


def _encoder_input(
    text: str, alignment: Alignment, evidence: EvidenceIndex, evidence_sentences: Collection[str]
) -> _EncoderInput:
    is_copy = _normalise(text) in evidence_sentences
    return _EncoderInput(text, None if is_copy else TextPair("", text, reading_window(alignment, evidence)))


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")
