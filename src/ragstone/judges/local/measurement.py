"""The inputs of the decision on a statement: its word features, and the encoder's outputs for statement and evidence.

The encoder reads each sentence of a statement, and each clause of a sentence that has several, together with all of
the evidence or with the sentences of longer evidence that are most similar to it. In two cases words alone decide and
the encoder's outputs are assumed: for a text that is in the evidence word for word, and for a statement about something
else than longer evidence.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.alignment import Alignment, align, reading_window
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.model.decision import (
    MAX_SHORT_EVIDENCE,
    StatementScores,
    log_odds,
    summarise_outputs,
)
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.judges.local.model.features import StatementFeatures, contradiction_features
from ragstone.judges.local.model.weights import scorer
from ragstone.text.clauses import split_clauses
from ragstone.text.tokens import tokens

_EXCLUSIVE_BOUND = (
    r"(?:(?:more|less|fewer) than|over|under|above|below"
    r"|(?:mehr|weniger) als|(?:plus|moins) de|(?:más|menos) de)"
)
"""Phrases before a bound that exclude the bound itself."""
_COPY_OUTPUTS = (-4.0, -4.0, 4.0)
"""Outputs assumed for a text that is in the evidence word for word."""
_UNRELATED_OUTPUTS = (-4.0, 4.0, -4.0)
"""Outputs assumed for a statement about something else than the evidence."""
_MIN_SIMILARITY = 0.27
"""Minimum similarity to longer evidence; a statement below it is about something else.

Of 2,982 claims of held-out writers beside longer evidence, 166 are below; the encoder took 33 of them for supported, 22
of these rightly. Of 3,083 claims of people's sets 258 are below, 1 of them taken for supported.
"""

Outputs = Mapping[TextPair, tuple[float, ...]]


class AnalysedStatement(NamedTuple):
    """A statement that can be judged.

    Attributes:
        statement: its text in the terms of its evidence.
        features: its word features.
    """

    statement: str
    features: StatementFeatures


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
    """A sentence or a clause, with the pair that the encoder reads, or None and the outputs assumed."""

    text: str
    pair: TextPair | None
    assumed_outputs: tuple[float, ...] = _COPY_OUTPUTS

    def outputs(self, outputs: Outputs) -> tuple[float, ...]:
        """Return the encoder's outputs for it, or those assumed."""
        return outputs[self.pair] if self.pair else self.assumed_outputs


class _Sentence(NamedTuple):
    """A sentence and each of its clauses; the sentence again if it has only one."""

    whole: _EncoderInput
    clauses: list[_EncoderInput]


def measure(statements: Sequence[AnalysedStatement], evidence: EvidenceIndex) -> list[Measurement]:
    """Return the measurement of each statement, in order."""
    evidence_sentences = {_normalise(sentence) for sentence in evidence.sentence_texts}
    sentences_by_statement = [
        list(_sentence_inputs(statement, evidence, evidence_sentences)) for statement in statements
    ]
    parts = [
        part
        for sentences in sentences_by_statement
        for sentence in sentences
        for part in (sentence.whole, *sentence.clauses)
    ]
    pairs = [part.pair for part in parts if part.pair]
    outputs = dict(zip(pairs, read_pairs("support", pairs), strict=True))
    return [
        _measurement(statement, sentences, outputs)
        for statement, sentences in zip(statements, sentences_by_statement, strict=True)
    ]


def _measurement(
    analysed: AnalysedStatement, sentences: Sequence[_Sentence], outputs: Outputs
) -> Measurement:
    values, gaps = analysed.features.values, analysed.features.gaps
    parts = [part for sentence in sentences for part in sentence.clauses]
    scores = StatementScores(
        scorer("support").score(values, gaps),
        scorer("contradiction").score(contradiction_features(values)),
        *summarise_outputs(
            [sentence.whole.outputs(outputs) for sentence in sentences],
            [part.outputs(outputs) for part in parts],
        ),
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
    alignments = analysed.features.alignments
    if _is_unrelated(alignments, evidence):
        unread = _EncoderInput(analysed.statement, None, _UNRELATED_OUTPUTS)
        yield _Sentence(unread, [unread])
        return
    texts = _encoder_texts(analysed.statement, alignments, evidence)
    for alignment, text in zip(alignments, texts, strict=True):
        whole = _encoder_input(text, alignment, evidence, evidence_sentences)
        parts = split_clauses(text) if whole.pair else [text]
        yield _Sentence(
            whole, [whole] if len(parts) == 1 else [*_clause_inputs(parts, evidence, evidence_sentences)]
        )


def _is_unrelated(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> bool:
    """Whether longer evidence has no sentence similar to one of the statement."""
    if len(evidence.tokens) <= MAX_SHORT_EVIDENCE:
        return False
    return max(alignment.cosine + alignment.soft_share["3"] for alignment in alignments) < _MIN_SIMILARITY


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


def _encoder_texts(statement: str, alignments: Sequence[Alignment], evidence: EvidenceIndex) -> Iterator[str]:
    """Yield the encoder's text of each aligned sentence, up to the start of the next one, with comparable numbers.

    The encoder compares numbers by their word pieces, not by value: 100 days beside "75 days or more" is read as 75.
    """
    starts = [alignment.tokens[0].start for alignment in alignments]
    for alignment, end in zip(alignments, [*starts[1:], len(statement)], strict=True):
        text, position = "", alignment.tokens[0].start
        for i, token in enumerate(alignment.tokens):
            bound = explanations.find_bound(alignment, i, evidence) if token.is_number else None
            if bound is not None:
                text, position = (
                    text + statement[position : token.start] + _phrase_bound(bound.word, evidence),
                    token.end,
                )
        yield (text + statement[position:end]).strip()


def _phrase_bound(number: str, evidence: EvidenceIndex) -> str:
    """Return a bound as the evidence phrases it, since 40 weeks are not more than 40 weeks."""
    pattern = re.compile(rf"\b{_EXCLUSIVE_BOUND} {re.escape(number)}\b", re.IGNORECASE)
    return next((match[0] for text in evidence.sentence_texts if (match := pattern.search(text))), number)


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")
