"""Correctness: whether an answer to a question says what a reference says.

Short references ("14", "Paris", "2018") must be found in the answer; long ones are compared statement by
statement. Words of the question count for neither side. A small sign-constrained model, trained on human judgements of
open question answering (NQ-301, MIT), weighs the features, and a small encoder reads reference and answer together. A
logistic regression over both gives the chance that the answer is right; of several references the best counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.alignment import (
    MOST_WORDS,
    TOO_LONG,
    Alignment,
    align,
    is_content_word,
    reading_window,
)
from ragstone.judges.local.matching.conflicts import conflict_features
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence, stem_ngrams
from ragstone.judges.local.matching.number_ranges import NumberRanges, contains_exact_number, lies_in_range
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.judges.local.model.weights import UNSURE, YES, chance, scorer
from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.text.languages import count_words, why_not_judged
from ragstone.judges.local.text.lexicon import REFUSALS
from ragstone.judges.local.text.tokens import WordToken, repair_encoding, tokens

SUPPORTING = (
    "contained",
    "initials",
    "said",
    "recall",
    "soft_recall",
    "fresh_recall",
    "fresh_soft",
    "facts",
    "precision",
    "alike",
    "letters",
    "run",
)
OPPOSING = ("number_missing", "number_other", "name_missing", "conflict", "negated", "refusal")
NAMES = SUPPORTING + OPPOSING
SIGNS = np.array([1] * len(SUPPORTING) + [-1] * len(OPPOSING))
_NOTHING = 8.0
"""Log odds against an answer without words."""
_UNIT = 3
"""Number of tokens after a number that name the thing it counts; without the number they carry no information."""


@dataclass(frozen=True, slots=True)
class Correctness:
    """The verdict on one answer.

    Attributes:
        verdict: yes (it says what the reference says), no, or idk (too close to call, or not readable).
        probability: that a careful reader calls it correct, 0 to 1.
        reason: why, in a few words.
    """

    verdict: Literal["yes", "no", "idk"]
    probability: float
    reason: str


def correctness(question: str, answer: str, reference: str | Sequence[str]) -> Correctness:
    """Judge an answer against a reference, or against the best match of several correct references."""
    references = [reference] if isinstance(reference, str) else list(reference)
    if not (answer.strip() and any(text.strip() for text in references)):
        return Correctness("idk", 0.0, "there is nothing to compare")
    if reason := why_not_judged(*map(count_words, (answer, *references))):
        return Correctness("idk", 0.0, reason)
    if any(_longer_than(MOST_WORDS, text) for text in (question, answer, *references)):
        return Correctness("idk", 0.0, TOO_LONG)
    if _other_letter(answer, references):
        return Correctness("no", 0.0, "it is another letter or digit than the reference")
    words = scorer("correctness").score(best_features(question, answer, references))
    probability = chance("correctness", words, best_reading(question, answer, references))
    return _decided(probability)


def _decided(probability: float) -> Correctness:
    if probability >= YES:
        return Correctness("yes", probability, "it says what the reference says")
    if probability >= UNSURE:
        return Correctness("idk", probability, "too close to call: it says a part of what the reference says")
    return Correctness("no", probability, "it does not say what the reference says")


def _other_letter(answer: str, references: Sequence[str]) -> bool:
    """Whether answer and references are single letters or digits, and the answer equals no reference."""
    said, *right = (text.strip(" .()").casefold() for text in (answer, *references))
    return len(said) == 1 and said not in right and all(len(text) <= 1 for text in right)


def _longer_than(words: int, text: str) -> bool:
    return len(text) > words and sum(map(len, tokens(text))) > words


def best_reading(question: str, answer: str, references: Sequence[str]) -> float:
    """Return the encoder's log odds for an answer beside the reference that it fits best."""
    evidence = index_evidence([repair_encoding(answer)])
    rows = [
        (text, align(list(chain.from_iterable(tokens(repair_encoding(text)))), evidence))
        for text in references
        if text.strip()
    ]
    pairs = [TextPair(question, text, reading_window(found, evidence)) for text, found in rows if found]
    return max((outputs[0] for outputs in read_pairs("correctness", pairs)), default=-_NOTHING)


def best_features(question: str, answer: str, references: Sequence[str]) -> NDArray[np.float64]:
    """Return the features against the reference that the answer fits best, shape (features,)."""
    rows = [features(question, answer, text) for text in references if text.strip()]
    return max(rows, key=lambda row: float((SIGNS * row).sum()))


def features(question: str, answer: str, reference: str) -> NDArray[np.float64]:
    """Return the features of one answer against one reference, shape (features,)."""
    question, answer, reference = (
        repair_encoding(question),
        repair_encoding(answer),
        repair_encoding(reference),
    )
    asked = {token.stem for token in chain.from_iterable(tokens(question))}
    gold, said = (list(chain.from_iterable(tokens(text))) for text in (reference, answer))
    evidence, gold_evidence = index_evidence([answer]), index_evidence([reference])
    found = align(gold, evidence)
    fresh_gold = [token for token in gold if token.stem not in asked] or gold
    fresh_said = [token for token in said if token.stem not in asked] or said
    fresh, back = align(fresh_gold, evidence), align(fresh_said, gold_evidence)
    if found is None or fresh is None or back is None:
        return np.zeros(len(NAMES))
    values = _found(found, fresh, back, gold, said) | _missing(fresh, evidence, said)
    values["alike"] = similarity(answer, reference)
    values["letters"] = _letters(fresh_gold, said)
    return np.array([values[name] for name in NAMES])


def _found(
    found: Alignment, fresh: Alignment, back: Alignment, gold: list[WordToken], said: list[WordToken]
) -> dict[str, float]:
    stems = [token.stem for token in gold if is_content_word(token)] or [token.stem for token in gold]
    spoken = [token.stem for token in said if is_content_word(token)] or [token.stem for token in said]
    pairs, spoken_pairs = stem_ngrams(stems, 2), set(stem_ngrams(spoken, 2))
    return {
        "initials": float(
            _initials(gold) in {t.norm for t in said} or _initials(said) in {t.norm for t in gold}
        ),
        "said": back.exact_share["doc"],
        "contained": float(tuple(stems) in set(stem_ngrams(spoken, len(stems)))),
        "recall": found.exact_share["doc"],
        "soft_recall": found.soft_share["doc"],
        "fresh_recall": fresh.exact_share["doc"],
        "fresh_soft": fresh.soft_share["doc"],
        "precision": back.soft_share["doc"],
        "run": sum(pair in spoken_pairs for pair in pairs) / len(pairs)
        if pairs
        else fresh.exact_share["doc"],
    }


def _missing(fresh: Alignment, evidence: EvidenceIndex, said: list[WordToken]) -> dict[str, float]:
    spoken = {token.stem for token in said}
    numbers = [i for i, token in enumerate(fresh.tokens) if token.is_number]
    mine, theirs = NumberRanges(fresh.tokens), NumberRanges(said)
    lacking = [i for i in numbers if fresh.tokens[i].stem not in spoken and not _allowed(mine, i, theirs)]
    names = [token for token in fresh.tokens if token.is_capitalised and not token.is_number]
    against = conflict_features(fresh, evidence)
    words = " ".join(token.norm for token in said)
    return {
        "facts": _facts(fresh.tokens, lacking, spoken),
        "number_missing": len(lacking) / max(len(numbers), 1),
        "number_other": float(bool(lacking) and any(token.is_number for token in said)),
        "name_missing": sum(token.stem not in spoken for token in names) / max(len(names), 1),
        "conflict": max(against["number_conflict"], against["name_conflict"], against["opposite"]),
        "negated": max(against["negated_only_here"], against["negated_only_there"]),
        "refusal": float(any(phrase in words for phrase in REFUSALS)),
    }


def _facts(row: Sequence[WordToken], lacking: Sequence[int], spoken: set[str]) -> float:
    """Return the share of the reference's content words that are said, without words that a missing number counts."""
    counted = {at for i in lacking for at in range(i, i + 1 + _UNIT)}
    facts = [i for i, token in enumerate(row) if is_content_word(token)] or list(range(len(row)))
    return sum(i not in counted and (row[i].is_number or row[i].stem in spoken) for i in facts) / len(facts)


def _allowed(gold: NumberRanges, i: int, said: NumberRanges) -> bool:
    """Whether a number of the answer is one that the reference's number allows, or that allows it: "11", "10 to 12"."""
    return contains_exact_number(gold, i, said) or lies_in_range(gold, i, said)


def _letters(gold: list[WordToken], said: list[WordToken]) -> float:
    """Return the share of the reference's character trigrams that are in the answer, since spellings differ."""
    wanted = _trigrams(gold)
    return len(wanted & _trigrams(said)) / len(wanted) if wanted else 0.0


def _initials(words: list[WordToken]) -> str:
    """Return the initials of a name of two words or more ("usa"), else an empty text, which equals no word."""
    names = [token.norm for token in words if token.is_capitalised]
    return "".join(name[0] for name in names) if len(names) > 1 else ""


def _trigrams(words: list[WordToken]) -> set[str]:
    text = f" {' '.join(token.norm for token in words)} "
    return {text[i : i + 3] for i in range(len(text) - 2)}
