"""Whatever the text, the work grows with its length, not with the square of it, and no function hangs.

Counted are the lines that Python executes. What a regular expression does inside is not counted: there a text of
100,000 characters must be finished before the time limit that every test has: it took hours where it was quadratic.

The encoder has the last of its six layers alone here: the others do the same once more, for each piece of a pair.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

import pytest
from tests.judges.local.text_families import FAMILIES
from tests.testing.for_each import for_each

from ragstone.judges.local.claim_support import contradiction
from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.matching import evidence_index
from ragstone.judges.local.model import encoder
from ragstone.judges.local.model.recent_outputs import RecentOutputs
from ragstone.judges.local.relevance import passage_relevance
from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.statements import claims, claims_with_replies, statements
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness
from ragstone.text.languages import count_words, why_not_judged
from ragstone.text.sentences import sentences
from ragstone.text.tokens import is_latin, repair_encoding, tokens

_SHORT = "The Orrin Bridge is 330 metres long and was not built by Ann Lee in 1911."
_QUESTION = "How long is the Orrin Bridge?"

READERS: dict[str, Callable[[str], object]] = {
    "sentences": sentences,
    "tokens": tokens,
    "statements": statements,
    "claims": claims,
    "replies": claims_with_replies,
    "mended": repair_encoding,
    "latin": is_latin,
    "languages": lambda text: why_not_judged(count_words(text), count_words(_SHORT)),
}
JUDGES: dict[str, Callable[[str], object]] = {
    "support of the text": lambda text: support([text], [_SHORT]),
    "support by the text": lambda text: support([_SHORT], [text]),
    "contradiction": lambda text: contradiction(_SHORT, [text]),
    "correctness of the text": lambda text: correctness(_QUESTION, text, _SHORT),
    "correctness by the text": lambda text: correctness(_QUESTION, _SHORT, text),
    "correctness by itself": lambda text: correctness(_QUESTION, text, text),
    "relevance of the text": lambda text: passage_relevance(_QUESTION, [text]),
    "relevance to the text": lambda text: passage_relevance(text, [_SHORT]),
    "usefulness": lambda text: usefulness(_QUESTION, text, [_SHORT]),
    "similarity": lambda text: similarity(text, _SHORT),
}


def _lines(work: Callable[[], object]) -> int:
    """Return how many lines of Python something executes."""
    count = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


@pytest.fixture(autouse=True)
def small_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read pairs by the last layer alone, and remember none after the test."""
    whole = encoder.encoder()
    small = replace(whole, layers=whole.layers[-1:])

    monkeypatch.setattr(encoder, "encoder", lambda: small)
    monkeypatch.setattr(encoder, "_outputs", RecentOutputs(encoder._REMEMBERED))


@for_each("family", FAMILIES)
def test_four_times_the_text_takes_about_four_times_the_work(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_index, "_CACHE", RecentOutputs(0, evidence_index._cache_size))
    text = FAMILIES[family]
    for name, function in (READERS | JUDGES).items():
        function(text(1_600))  # word vectors are computed once
        short, long = (_lines(partial(function, text(size))) for size in (400, 1_600))
        assert long <= 6 * max(short, 400), (name, short, long)


@for_each("family", FAMILIES)
def test_no_text_hangs(family: str) -> None:
    for read in READERS.values():
        read(FAMILIES[family](100_000))
    for judge in JUDGES.values():
        judge(FAMILIES[family](3_000))
