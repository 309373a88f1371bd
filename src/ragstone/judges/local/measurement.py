"""The inputs of the decision on a statement: its word features, and the encoder's outputs for statement and evidence.

The encoder reads each sentence of a statement, and each clause of a sentence that has several, beside all of the
evidence or beside the sentences of longer evidence that are nearest to it. Words alone decide the plain cases: a text
that is in the evidence word for word, and a statement about something else than longer evidence.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.alignment import Alignment, align, reading_window
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.model.decision import SHORT_EVIDENCE, StatementScores, log_odds, summarise_outputs
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.judges.local.model.features import StatementFeatures, contradiction_features
from ragstone.judges.local.model.weights import scorer
from ragstone.judges.local.text.clauses import clauses
from ragstone.judges.local.text.tokens import tokens

_BEYOND = r"(?:(?:more|less|fewer) than|over|under|above|below|(?:mehr|weniger) als|(?:plus|moins) de|(?:más|menos) de)"
"""Phrases that exclude the bound itself."""
_COPIED = (-4.0, -4.0, 4.0)
"""Outputs assumed for a text that is in the evidence word for word."""
_UNRELATED = (-4.0, 4.0, -4.0)
"""Outputs assumed for a statement about something else than the evidence."""
_NEAR = 0.25
"""Likeness to longer evidence below which a statement is about something else.

Of 2,982 claims of held-out writers beside longer evidence, 148 are below; the encoder took 29 of them for supported, 18
of these rightly. Of 3,083 claims of people's sets 254 are below, 1 of them taken for supported.
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
    """A sentence or a clause, and the pair that the encoder reads; in a plain case None, and the outputs assumed."""

    text: str
    pair: TextPair | None
    assumed: tuple[float, ...] = _COPIED

    def outputs(self, known: Outputs) -> tuple[float, ...]:
        """Return what the encoder says of it, or what is assumed."""
        return known[self.pair] if self.pair else self.assumed


class _Sentence(NamedTuple):
    """A sentence, and each of its clauses; the sentence again where it has only one."""

    whole: _EncoderInput
    clauses: list[_EncoderInput]


def measure(statements: Sequence[AnalysedStatement], evidence: EvidenceIndex) -> list[Measurement]:
    """Return the measurement of each statement, in order."""
    told = {_plain(sentence) for sentence in evidence.sentence_texts}
    read = [list(_sentences(one, evidence, told)) for one in statements]
    parts = [part for sentences in read for one in sentences for part in (one.whole, *one.clauses)]
    pairs = [part.pair for part in parts if part.pair]
    outputs = dict(zip(pairs, read_pairs("support", pairs), strict=True))
    return [_measurement(one, sentences, outputs) for one, sentences in zip(statements, read, strict=True)]


def _measurement(
    analysed: AnalysedStatement, sentences: Sequence[_Sentence], outputs: Outputs
) -> Measurement:
    values, gaps = analysed.features.values, analysed.features.gaps
    parts = [part for sentence in sentences for part in sentence.clauses]
    found = StatementScores(
        scorer("support").score(values, gaps),
        scorer("contradiction").score(contradiction_features(values)),
        *summarise_outputs(
            [sentence.whole.outputs(outputs) for sentence in sentences],
            [part.outputs(outputs) for part in parts],
        ),
    )
    return Measurement(found, _doubted(parts, outputs) if len(parts) > 1 else "")


def _doubted(parts: Sequence[_EncoderInput], outputs: Outputs) -> str:
    odds = log_odds([part.outputs(outputs) for part in parts])[:, 2]
    worst = int(odds.argmin())
    return explanations.shorten(parts[worst].text) if odds[worst] < 0 else ""


def _sentences(
    analysed: AnalysedStatement, evidence: EvidenceIndex, told: Collection[str]
) -> Iterator[_Sentence]:
    """Yield the sentences of a statement."""
    alignments = analysed.features.alignments
    if _is_about_something_else(alignments, evidence):
        unread = _EncoderInput(analysed.statement, None, _UNRELATED)
        yield _Sentence(unread, [unread])
        return
    texts = _texts(analysed.statement, alignments, evidence)
    for found, text in zip(alignments, texts, strict=True):
        whole = _part(text, found, evidence, told)
        parts = clauses(text) if whole.pair else [text]
        yield _Sentence(whole, [whole] if len(parts) == 1 else [*_clauses(parts, evidence, told)])


def _is_about_something_else(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> bool:
    """Whether no sentence of longer evidence is near to any sentence of a statement."""
    if len(evidence.tokens) <= SHORT_EVIDENCE:
        return False
    return max(found.cosine + found.soft_share["3"] for found in alignments) < _NEAR


def _clauses(parts: Sequence[str], evidence: EvidenceIndex, told: Collection[str]) -> Iterator[_EncoderInput]:
    for text in parts:
        if found := align([*chain.from_iterable(tokens(text))], evidence):
            yield _part(text, found, evidence, told)


def _part(text: str, found: Alignment, evidence: EvidenceIndex, told: Collection[str]) -> _EncoderInput:
    copied = _plain(text) in told
    return _EncoderInput(text, None if copied else TextPair("", text, reading_window(found, evidence)))


def _texts(statement: str, alignments: Sequence[Alignment], evidence: EvidenceIndex) -> Iterator[str]:
    """Yield the encoder's text of each aligned part, up to the start of the next one, with comparable numbers.

    The encoder compares numbers piece by piece and does not count: 100 days beside "75 days or more" is read as 75.
    """
    starts = [found.tokens[0].start for found in alignments]
    for found, end in zip(alignments, [*starts[1:], len(statement)], strict=True):
        text, at = "", found.tokens[0].start
        for i, token in enumerate(found.tokens):
            bound = explanations.find_bound(found, i, evidence) if token.is_number else None
            if bound is not None:
                text, at = text + statement[at : token.start] + _told_bound(bound.word, evidence), token.end
        yield (text + statement[at:end]).strip()


def _told_bound(number: str, evidence: EvidenceIndex) -> str:
    """Return a bound in the evidence's wording: 40 weeks are not more than 40 weeks."""
    form = re.compile(rf"\b{_BEYOND} {re.escape(number)}\b", re.IGNORECASE)
    return next((found[0] for text in evidence.sentence_texts if (found := form.search(text))), number)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")
