"""Similar misses: groups of similar questions and answers that miss more often, named by their words.

Test cases are similar if their questions and answers have similar vectors (the local embedder's; the mean of both
cosines). `ragstone.stats.find_failure_clusters` decides which groups stand out. Their names are the words that
distinguish the missed cases of a group from the cases that passed, by `ragstone.stats.word_odds`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ragstone.case import TestCase
from ragstone.embeddings.local import embed_texts
from ragstone.stats.failure_clusters import FailureCluster, find_failure_clusters
from ragstone.stats.log_odds import word_odds
from ragstone.text.lexicon import FUNCTION_WORDS, NEGATIONS, QUESTION_WORDS
from ragstone.text.tokens import first_tokens

MOST_CASES = 4000
"""Maximum number of test cases searched; of more, this number is sampled. Memory grows with its square."""

_MAX_CHARACTERS = 2000
_MAX_TOKENS = 300
_MAX_WORDS = 4
_MIN_Z_SCORE = 1.96
_STOP_WORDS = (FUNCTION_WORDS | QUESTION_WORDS) - NEGATIONS


@dataclass(frozen=True, slots=True)
class SimilarFailures:
    """A group of similar misses."""

    words: tuple[str, ...]  # at most four words, the most distinctive first; empty if no word is distinctive
    causes: dict[str, int]  # number of misses by cause, the most frequent first
    cluster: FailureCluster  # the test cases, with counts and intervals; places are those in the run


@dataclass(frozen=True, slots=True)
class SimilarFailureSearch:
    """The groups of misses that stand out."""

    found: tuple[SimilarFailures, ...]  # the groups, the largest first
    tried: int  # number of groups of similar test cases that were tried
    rate: float  # upper bound of the share of runs without any such group in which one is reported
    drawn: int  # number of test cases searched


def find_similar_failures(cases: Sequence[TestCase], causes: Sequence[str | None]) -> SimilarFailureSearch:
    """Find the groups of similar test cases that miss more often; `causes` are None where a case passed."""
    places = list(range(len(cases)))
    if len(cases) > MOST_CASES:
        places = sorted(np.random.default_rng(0).permutation(len(cases))[:MOST_CASES].tolist())
    drawn = [cases[place] for place in places]
    search = find_failure_clusters(case_vectors(drawn), [causes[place] is not None for place in places])
    found: list[SimilarFailures] = []
    if search.found:
        words = [_words(case) for case in drawn]
        passed = [row for row, place in zip(words, places, strict=True) if causes[place] is None]
        for cluster in search.found:
            distinctive = _distinctive_words([words[place] for place in cluster.missed], passed, words)
            members, missed = (tuple(places[at] for at in held) for held in (cluster.members, cluster.missed))
            located = replace(cluster, members=members, missed=missed)
            counts = Counter(causes[place] or "" for place in located.missed)
            found.append(SimilarFailures(distinctive, dict(counts.most_common()), located))
    return SimilarFailureSearch(tuple(found), search.tried, search.rate, len(places))


def case_vectors(cases: Sequence[TestCase]) -> "np.typing.NDArray[np.float32]":
    """Return one vector for each test case; their cosine is the mean of the cosines of questions and of answers."""
    questions = embed_texts([case.input[:_MAX_CHARACTERS] for case in cases])
    answers = embed_texts([(case.actual_output or "")[:_MAX_CHARACTERS] for case in cases])
    return np.hstack([questions, answers])


def _words(case: TestCase) -> dict[str, str]:
    """Return the stems of the words of a question and its answer, each with the word as it is written."""
    return {
        token.stem: token.norm
        for text in (case.actual_output or "", case.input)
        for token in first_tokens(text, 0, min(len(text), _MAX_CHARACTERS), _MAX_TOKENS)
        if token.norm not in _STOP_WORDS and token.norm.replace("'", "") not in _STOP_WORDS
    }


def _distinctive_words(
    group: Sequence[dict[str, str]], rest: Sequence[dict[str, str]], all_rows: Sequence[dict[str, str]]
) -> tuple[str, ...]:
    """Return the words that distinguish a group of texts from others, at most four, the most distinctive first.

    They distinguish it clearly and occur in at least two of its texts. Without such words, the best one is returned.
    """
    parts = (group, rest, all_rows)
    inside, outside, total = (Counter(stem for row in rows for stem in row) for rows in parts)
    stems = sorted(total)
    if not stems:
        return ()
    scores = word_odds(*([counts[stem] for stem in stems] for counts in (inside, outside, total)))
    ranked = sorted(zip(scores.tolist(), stems, strict=True), key=lambda pair: (-pair[0], pair[1]))
    clear = [stem for score, stem in ranked if score >= _MIN_Z_SCORE and inside[stem] > 1]
    best = clear or [stem for score, stem in ranked[:1] if score > 0]
    spellings = (Counter(row[stem] for row in group if stem in row) for stem in best[:_MAX_WORDS])
    return tuple(min(found, key=lambda word, n=found: (-n[word], word)) for found in spellings)
