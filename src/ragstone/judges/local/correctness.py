"""Correctness: whether an answer to a question says what a reference says.

Short references ("14", "Paris", "2018") must be found in the answer; long ones are compared statement by
statement. Words of the question count for neither text. A small sign-constrained model, trained on human judgements of
open question answering (NQ-301, MIT), weighs the features, and a small encoder reads reference and answer together. A
logistic regression over both gives the chance that the answer is right; of several references the best counts.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.judgement import Judgement, not_judged
from ragstone.judges.local.matching.alignment import (
    MAX_WORDS,
    TOO_LONG_REASON,
    Alignment,
    align,
    is_content_word,
    reading_window,
)
from ragstone.judges.local.matching.conflicts import conflict_features
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence, stem_ngrams
from ragstone.judges.local.matching.number_ranges import NumberRanges, contains_exact_number, lies_in_range
from ragstone.judges.local.model.encoder import TextPair, read_pairs
from ragstone.judges.local.model.weights import MAX_NO, MIN_YES, line_probability, scorer
from ragstone.judges.local.similarity import similarity
from ragstone.text.languages import count_words, why_not_judged
from ragstone.text.lexicon import REFUSALS
from ragstone.text.tokens import WordToken, repair_encoding, tokens

SUPPORTING = (
    "contained", "initials", "said", "recall", "soft_recall", "fresh_recall", "fresh_soft", "facts", "precision",
    "alike", "letters", "run",
)  # fmt: skip
OPPOSING = ("number_missing", "number_other", "name_missing", "conflict", "negated", "refusal")
FEATURE_NAMES = SUPPORTING + OPPOSING
FEATURE_SIGNS = np.array([1] * len(SUPPORTING) + [-1] * len(OPPOSING))
_NO_WORDS_LOG_ODDS = 8.0
"""Log odds against an answer without words."""
_UNIT_TOKENS = 3
"""Number of tokens after a number that may name what it counts; without the number they carry no information."""


def correctness(question: str, answer: str, reference: str | Sequence[str]) -> Judgement:
    """Judge an answer against a reference, or against the best match of several correct references."""
    references = [reference] if isinstance(reference, str) else list(reference)
    if not (answer.strip() and any(text.strip() for text in references)):
        return not_judged("there is nothing to compare")
    if reason := why_not_judged(*map(count_words, (answer, *references))):
        return not_judged(reason)
    long = (text for text in (question, answer, *references) if len(text) > MAX_WORDS)
    if any(len(_all_tokens(text)) > MAX_WORDS for text in long):
        return not_judged(TOO_LONG_REASON)
    if _is_other_letter(answer, references):
        return Judgement("no", 0.0, "it is another letter or digit than the reference")
    word_score = scorer("correctness").score(best_features(question, answer, references))
    probability = line_probability("correctness", word_score, encoder_log_odds(question, answer, references))
    return _verdict(probability)


def _verdict(probability: float) -> Judgement:
    if probability >= MIN_YES:
        return Judgement("yes", probability, "it says what the reference says")
    if probability <= MAX_NO:
        return Judgement("no", probability, "it does not say what the reference says")
    reason = f"too close to call, {probability:.0%} likely to say what the reference says"
    return Judgement("undecided", probability, reason)


def _is_other_letter(answer: str, references: Sequence[str]) -> bool:
    """Whether answer and references are single letters or digits, and the answer equals no reference."""
    given, *correct = (text.strip(" .()").casefold() for text in (answer, *references))
    return len(given) == 1 and given not in correct and all(len(text) <= 1 for text in correct)


def encoder_log_odds(question: str, answer: str, references: Sequence[str]) -> float:
    """Return the encoder's log odds that the answer is right, the highest of all references."""
    answer_index = index_evidence([repair_encoding(answer)])
    pairs = [
        TextPair(question, text, reading_window(alignment, answer_index))
        for text in references
        if text.strip() and (alignment := align(_all_tokens(repair_encoding(text)), answer_index))
    ]
    return max((outputs[0] for outputs in read_pairs("correctness", pairs)), default=-_NO_WORDS_LOG_ODDS)


def best_features(question: str, answer: str, references: Sequence[str]) -> NDArray[np.float64]:
    """Return the features against the reference that the answer fits best, shape (features,)."""
    rows = [correctness_features(question, answer, text) for text in references if text.strip()]
    return max(rows, key=lambda row: float((FEATURE_SIGNS * row).sum()))


def correctness_features(question: str, answer: str, reference: str) -> NDArray[np.float64]:
    """Return the features of one answer against one reference, shape (features,).

    A word is fresh if the question does not have it. The reference is aligned with the answer, all of it and its fresh
    words; in reverse, the fresh words of the answer are aligned with the reference.
    """
    question, answer, reference = map(repair_encoding, (question, answer, reference))
    question_stems = {token.stem for token in _all_tokens(question)}
    reference_tokens, answer_tokens = _all_tokens(reference), _all_tokens(answer)
    answer_index, reference_index = index_evidence([answer]), index_evidence([reference])
    fresh_reference, fresh_answer = (
        [token for token in row if token.stem not in question_stems] or row
        for row in (reference_tokens, answer_tokens)
    )
    alignment = align(reference_tokens, answer_index)
    fresh, reverse = align(fresh_reference, answer_index), align(fresh_answer, reference_index)
    if alignment is None or fresh is None or reverse is None:
        return np.zeros(len(FEATURE_NAMES))
    values = _overlap_features(alignment, fresh, reverse, reference_tokens, answer_tokens)
    values |= _mismatch_features(fresh, answer_index, answer_tokens)
    values["alike"] = similarity(answer, reference)
    values["letters"] = _trigram_recall(fresh_reference, answer_tokens)
    return np.array([values[name] for name in FEATURE_NAMES])


def _all_tokens(text: str) -> list[WordToken]:
    return list(chain.from_iterable(tokens(text)))


def _overlap_features(
    alignment: Alignment,
    fresh: Alignment,
    reverse: Alignment,
    reference_tokens: list[WordToken],
    answer_tokens: list[WordToken],
) -> dict[str, float]:
    reference_stems, answer_stems = (
        [token.stem for token in row if is_content_word(token)] or [token.stem for token in row]
        for row in (reference_tokens, answer_tokens)
    )
    bigrams, answer_bigrams = stem_ngrams(reference_stems, 2), set(stem_ngrams(answer_stems, 2))
    shared = sum(bigram in answer_bigrams for bigram in bigrams)
    return {
        "initials": float(
            _initials(reference_tokens) in {t.norm for t in answer_tokens}
            or _initials(answer_tokens) in {t.norm for t in reference_tokens}
        ),
        "said": reverse.exact_share["doc"],
        "contained": float(tuple(reference_stems) in set(stem_ngrams(answer_stems, len(reference_stems)))),
        "recall": alignment.exact_share["doc"],
        "soft_recall": alignment.soft_share["doc"],
        "fresh_recall": fresh.exact_share["doc"],
        "fresh_soft": fresh.soft_share["doc"],
        "precision": reverse.soft_share["doc"],
        "run": shared / len(bigrams) if bigrams else fresh.exact_share["doc"],
    }


def _mismatch_features(
    fresh: Alignment, answer_index: EvidenceIndex, answer_tokens: list[WordToken]
) -> dict[str, float]:
    answer_stems = {token.stem for token in answer_tokens}
    numbers = [i for i, token in enumerate(fresh.tokens) if token.is_number]
    reference_ranges, answer_ranges = NumberRanges(fresh.tokens), NumberRanges(answer_tokens)
    missing = [
        i
        for i in numbers
        if fresh.tokens[i].stem not in answer_stems
        # "11" lies in "10 to 12", and the reverse
        and not contains_exact_number(reference_ranges, i, answer_ranges)
        and not lies_in_range(reference_ranges, i, answer_ranges)
    ]
    names = [token for token in fresh.tokens if token.is_capitalised and not token.is_number]
    conflicts = conflict_features(fresh, answer_index)
    answer_text = " ".join(token.norm for token in answer_tokens)
    return {
        "facts": _fact_share(fresh.tokens, missing, answer_stems),
        "number_missing": len(missing) / max(len(numbers), 1),
        "number_other": float(bool(missing) and any(token.is_number for token in answer_tokens)),
        "name_missing": sum(token.stem not in answer_stems for token in names) / max(len(names), 1),
        "conflict": max(conflicts["number_conflict"], conflicts["name_conflict"], conflicts["opposite"]),
        "negated": max(conflicts["negated_only_here"], conflicts["negated_only_there"]),
        "refusal": float(any(phrase in answer_text for phrase in REFUSALS)),
    }


def _fact_share(row: Sequence[WordToken], missing: Sequence[int], answer_stems: set[str]) -> float:
    """Return the share of the reference's content words that the answer says.

    A missing number and the words after it, which may name what it counts, are excluded from what it says.
    """
    excluded = {position for i in missing for position in range(i, i + 1 + _UNIT_TOKENS)}
    facts = [i for i, token in enumerate(row) if is_content_word(token)] or list(range(len(row)))
    said = (i not in excluded and (row[i].is_number or row[i].stem in answer_stems) for i in facts)
    return sum(said) / len(facts)


def _trigram_recall(reference_tokens: list[WordToken], answer_tokens: list[WordToken]) -> float:
    """Return the share of the reference's character trigrams that the answer has, since spellings differ."""
    trigrams = _trigrams(reference_tokens)
    return len(trigrams & _trigrams(answer_tokens)) / len(trigrams) if trigrams else 0.0


def _initials(words: list[WordToken]) -> str:
    """Return the initials of two or more capitalised words ("usa"), else an empty text, which equals no word."""
    names = [token.norm for token in words if token.is_capitalised]
    return "".join(name[0] for name in names) if len(names) > 1 else ""


def _trigrams(words: list[WordToken]) -> set[str]:
    text = f" {' '.join(token.norm for token in words)} "
    return {text[i : i + 3] for i in range(len(text) - 2)}
