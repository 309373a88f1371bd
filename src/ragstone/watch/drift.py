"""Drift of users' questions, and their coverage by a test set.

Questions are compared by the vectors of the embedded similarity. The energy distance tests whether the questions of the
window and of the reference period come from one distribution. Fisher's exact test, corrected by Holm, finds the topics
that grew or shrank; the topics themselves are found without the times. Topics are named by words that occur in several
questions. A question is covered if some question of the test set is as near as those of the set are to each other.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from ragstone.datasets import load_dataset
from ragstone.drafts.corpus.topics import find_topics
from ragstone.stats.hash_sampling import hash_uniform
from ragstone.stats.interval import rate_interval
from ragstone.stats.significance import fisher_p_value, holm
from ragstone.store.queue.scores import read_questions
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import read_check, save_check
from ragstone.text.lexicon import FUNCTION_WORDS, QUESTION_WORDS
from ragstone.text.tokens import first_tokens
from ragstone.watch.alarms import ALARM, OK
from ragstone.watch.plan import WatchPlan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

LEAST = 50  # number of questions below which a period is not evaluated
_TOPIC_ALPHA = 0.05
_MAX_TOPICS, _MAX_WORDS, _MIN_QUESTIONS = 3, 4, 3
_MIN_TEST_SET = 20
_QUANTILE = 0.05
_MAX_TOKENS = 100
_STOP_WORDS = FUNCTION_WORDS | QUESTION_WORDS


@dataclass(frozen=True, slots=True)
class TopicChange:
    """A topic whose share changed.

    Attributes:
        words: words that name the topic: each occurs in at least three of its questions; may be empty.
        before: its share of the questions in the reference period.
        now: its share of the questions in the window.
        p_value: p-value, corrected for the number of topics.
    """

    words: tuple[str, ...]
    before: float
    now: float
    p_value: float


@dataclass(frozen=True, slots=True)
class SetCoverage:
    """Coverage of users' questions by a test set.

    Attributes:
        share: covered share of the window's questions.
        low: lower end of its 95 % interval.
        high: upper end of the interval.
        n: questions of the window that were compared.
        missing: the largest topics that are not covered: their words, and how many questions they have.
    """

    share: float
    low: float
    high: float
    n: int
    missing: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def line(self) -> str:
        """The coverage in one line."""
        topics = "; ".join(f"{', '.join(words) or 'a topic'} ({count})" for words, count in self.missing)
        return (
            f"the test set covers {self.share:.0%} ({self.low:.0%} to {self.high:.0%}) of {self.n} questions"
            f"{'; missing topics: ' if topics else ''}{topics}"
        )


@dataclass(frozen=True, slots=True)
class QuestionDrift:
    """Result of the last check of users' questions.

    Attributes:
        status: `ok`, or `alarm` where the questions have changed.
        p_value: p-value of the questions being unchanged; None with too few questions.
        n: questions of the window that were compared.
        before: questions of the reference period that were compared.
        topics: topics whose share changed significantly, the smallest p-value first.
        coverage: coverage by the test set; None without a test set or with too few questions.
        at: time of the check, seconds since 1970.
        changes: number of changes of the status.
        changed: time of the last change; None without one.
    """

    status: str
    p_value: float | None
    n: int
    before: int
    topics: tuple[TopicChange, ...]
    coverage: SetCoverage | None
    at: float
    changes: int
    changed: float | None

    @property
    def line(self) -> str:
        """The result in one line."""
        if self.p_value is None:
            return f"users' questions: too few to compare ({self.n} now, {self.before} before)"
        verb = "have changed" if self.status == ALARM else "show no change"
        changes = (f"{', '.join(t.words) or 'a topic'} {t.before:.0%} to {t.now:.0%}" for t in self.topics)
        topics = "; ".join(changes)
        return f"users' questions {verb} (p {self.p_value:.3f}, {self.n} questions){': ' if topics else ''}{topics}"


def find_drift(queue: TraceQueue, plan: WatchPlan, now: float | None = None) -> QuestionDrift | None:
    """Compare the questions of the window, which ends now, with the reference period; None if the plan has no drift."""
    part = plan.drift
    if part is None:
        return None
    end = time.time() + 1 if now is None else now
    begin = end - plan.window
    current = _sample_questions(queue, plan, begin, end)
    past = _sample_questions(queue, plan, begin - part.reference, begin)
    stored = read_check(queue.engine, plan.name, "drift")
    p_value, topics = compare_questions(past, current)
    status = ALARM if p_value is not None and p_value <= part.false_alarms else OK
    changed = status != stored.get("status", OK)
    coverage = None
    if part.test_set is not None:
        asked = [case.input for case in load_dataset(part.test_set).cases if case.input.strip()]
        coverage = set_coverage(asked, current)
    change = (stored.get("changes", 0) + changed, end if changed else stored.get("changed"))
    drift = QuestionDrift(status, p_value, len(current), len(past), topics, coverage, end, *change)
    save_check(queue.engine, plan.name, "drift", asdict(drift))
    return drift


def read_drift(queue: TraceQueue, plan: WatchPlan) -> QuestionDrift | None:
    """Return the result of the last check; None before the first, or if the plan has no drift."""
    stored = read_check(queue.engine, plan.name, "drift")
    if plan.drift is None or not stored:
        return None
    return TypeAdapter(QuestionDrift).validate_python(stored)


def compare_questions(
    past: Sequence[str], current: Sequence[str]
) -> tuple[float | None, tuple[TopicChange, ...]]:
    """Return the p-value of equal distributions, None with too few questions, and the topics that changed."""
    if min(len(past), len(current)) < LEAST:
        return None, ()
    from ragstone.embeddings.local import embed_texts  # noqa: PLC0415  (only checks need vectors)
    from ragstone.stats.energy import energy_test  # noqa: PLC0415

    vectors = embed_texts([*past, *current])
    _, p_value = energy_test(vectors[: len(past)], vectors[len(past) :])
    return p_value, _changes(find_topics(vectors, 0), past, current)


def _changes(topics: Sequence[int], past: Sequence[str], current: Sequence[str]) -> tuple[TopicChange, ...]:
    before, now = Counter(topics[: len(past)]), Counter(topics[len(past) :])
    names = sorted(before.keys() | now.keys())
    corrected = holm([fisher_p_value(now[t], len(current), before[t], len(past)) for t in names])
    significant = sorted((p, t) for p, t in zip(corrected, names, strict=True) if p <= _TOPIC_ALPHA)
    texts = [*past, *current]
    return tuple(
        TopicChange(_words(_group(texts, topics, t), texts), before[t] / len(past), now[t] / len(current), p)
        for p, t in significant[: 2 * _MAX_TOPICS]
    )


def set_coverage(test_set: Sequence[str], current: Sequence[str]) -> SetCoverage | None:
    """Return the share of questions that are as near to the test set as its own questions are to each other.

    The limit is the similarity that 95 % of the set's questions reach with their nearest other question.
    """
    if len(test_set) < _MIN_TEST_SET or len(current) < LEAST:
        return None
    import numpy as np  # noqa: PLC0415  (only checks need vectors)

    from ragstone.embeddings.local import embed_texts  # noqa: PLC0415

    set_vectors, live_vectors = embed_texts(test_set), embed_texts(current)
    similarities = set_vectors @ set_vectors.T
    np.fill_diagonal(similarities, -1.0)
    floor = float(np.quantile(similarities.max(axis=1), _QUANTILE))
    near = (live_vectors @ set_vectors.T).max(axis=1) >= floor
    covered = int(near.sum())
    interval = rate_interval(covered, len(current))
    uncovered = [text for text, is_near in zip(current, near.tolist(), strict=True) if not is_near]
    missing = _largest_topics(uncovered, live_vectors[~near], current)
    return SetCoverage(covered / len(current), interval.low, interval.high, len(current), missing)


def _largest_topics(
    uncovered: Sequence[str], vectors: "Vectors", pool: Sequence[str]
) -> tuple[tuple[tuple[str, ...], int], ...]:
    topics = find_topics(vectors, 0)
    largest = Counter(topics).most_common(_MAX_TOPICS)
    return tuple((_words(_group(uncovered, topics, topic), pool), count) for topic, count in largest)


def _group(texts: Sequence[str], topics: Sequence[int], topic: int) -> list[str]:
    return [text for text, label in zip(texts, topics, strict=True) if label == topic]


def _words(group: Sequence[str], pool: Sequence[str]) -> tuple[str, ...]:
    """Return the words that distinguish a group, only from those in several of its questions, so none is quoted."""
    inside, outside = (Counter(word for text in texts for word in _stems(text)) for texts in (group, pool))
    spelled = Counter((stem, norm) for text in group for stem, norm in _stems(text).items())
    shared = [word for word, count in inside.items() if count >= _MIN_QUESTIONS]
    ranked = sorted(shared, key=lambda word: (-(inside[word] ** 2) / outside[word], word))
    return tuple(
        max((norm for stem, norm in spelled if stem == word), key=lambda norm: (spelled[word, norm], norm))
        for word in ranked[:_MAX_WORDS]
    )


def _stems(text: str) -> dict[str, str]:
    tokens = first_tokens(text, 0, len(text), _MAX_TOKENS)
    return {t.stem: t.norm for t in tokens if t.norm not in _STOP_WORDS and t.norm.isalpha()}


def _sample_questions(queue: TraceQueue, plan: WatchPlan, since: float, until: float) -> list[str]:
    """Return the questions of a period; if there are more than are compared, a sample drawn by their hashes."""
    questions = read_questions(queue.engine, plan.name, since, until)
    limit = plan.drift.most if plan.drift else len(questions)
    sample = sorted(questions, key=lambda question: hash_uniform("drift", question.unit))[:limit]
    return [question.text for question in sample]
