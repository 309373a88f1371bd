"""Combine several answers to one prompt: verdicts by majority, ratings by their distribution.

A tie between yes and no is idk if the prompt allows it, else the first juror's verdict. Reviews of a case are combined
for the answer and for the context separately; a tie is `cannot_tell`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ragstone.prompts import (
    Answer,
    AspectVerdict,
    Attributions,
    CaseReview,
    ChosenAnswer,
    ClaimLocation,
    ClaimLocations,
    Decision,
    Decisions,
    Grounding,
    PassageStatements,
    Rating,
)
from ragstone.prompts.choose_answer import normalise_choice

W = TypeVar("W", bound=str)


class Vote(NamedTuple):
    """One answer of several, and the mean share of jurors who agree with it."""

    answer: Answer
    agreement: float


def vote(answers: Sequence[Answer]) -> Vote | None:
    """Return the combination of several answers of one kind and length; None if they cannot be combined."""
    for kind, combine in _COMBINATIONS.items():
        if isinstance(answers[0], kind):
            return combine([answer for answer in answers if isinstance(answer, kind)])
    return None


def majority(words: Sequence[W], *, tie: W) -> W:
    """Return the most frequent word; `tie` if another one is as frequent."""
    (word, count), *others = Counter(words).most_common()
    return tie if others and others[0][1] == count else word


def combine_verdicts(first: Answer, others: Sequence[Decisions]) -> Vote | None:
    """Return the first juror's statements with the verdicts of the majority; None if it has no statements."""
    if not isinstance(first, Attributions | PassageStatements):
        return None
    columns = [
        [item.verdict, *(other.verdicts[place].verdict for other in others)]
        for place, item in enumerate(first.verdicts)
    ]
    decided = [majority(column, tie=column[0]) for column in columns]
    items = [
        item.model_copy(update={"verdict": word}) for item, word in zip(first.verdicts, decided, strict=True)
    ]
    agreement = _mean(list(map(_share, columns, decided)))
    return Vote(first.model_copy(update={"verdicts": tuple(items)}), agreement)


def _combine_decisions(answers: Sequence[Decisions]) -> Vote:
    columns = list(zip(*(answer.verdicts for answer in answers), strict=True))
    decided: list[Decision] = []
    shares: list[float] = []
    for column in columns:
        words = [item.verdict for item in column]
        word = majority(words, tie="idk")
        chosen = next((item for item in column if item.verdict == word), column[0])
        source = chosen.evidence
        evidence = Grounding(passage=source.passage, span=source.span, probability=_share(words, "yes"))
        decided.append(
            Decision(reason=chosen.reason, passage=chosen.passage, verdict=word, evidence=evidence)
        )
        shares.append(_share(words, word))
    return Vote(type(answers[0])(verdicts=tuple(decided)), _mean(shares))


def _combine_locations(answers: Sequence[ClaimLocations]) -> Vote:
    columns = list(zip(*(answer.verdicts for answer in answers), strict=True))
    half = len(answers) / 2
    decided: list[ClaimLocation] = []
    shares: list[float] = []
    for column in columns:
        counts = Counter(number for item in column for number in set(item.passages))
        chosen = tuple(sorted(number for number, count in counts.items() if count > half))
        decided.append(ClaimLocation(reason=column[0].reason, passages=chosen))
        shares.append(_share([tuple(sorted(set(item.passages))) for item in column], chosen))
    return Vote(ClaimLocations(verdicts=tuple(decided)), _mean(shares))


def _combine_opinions(answers: Sequence[AspectVerdict]) -> Vote:
    word = majority([answer.verdict for answer in answers], tie=answers[0].verdict)
    chosen = next(answer for answer in answers if answer.verdict == word)
    return Vote(chosen, _share([answer.verdict for answer in answers], word))


def _combine_choices(answers: Sequence[ChosenAnswer]) -> Vote:
    choices = [normalise_choice(answer.choice) for answer in answers]
    choice, _ = Counter(choices).most_common(1)[0]
    chosen = answers[choices.index(choice)]
    shares = {answers[choices.index(each)].choice: _share(choices, each) for each in dict.fromkeys(choices)}
    return Vote(chosen.model_copy(update={"probabilities": shares}), _share(choices, choice))


def _combine_ratings(answers: Sequence[Rating]) -> Vote:
    masses: dict[int, float] = {}
    for answer in answers:
        for score, mass in (answer.distribution or {answer.score: 1.0}).items():
            masses[score] = masses.get(score, 0.0) + mass / len(answers)
    mean = sum(score * mass for score, mass in masses.items())
    nearest = min(answers, key=lambda answer: abs(answer.score - mean))
    scores = [answer.score for answer in answers]
    merged = nearest.model_copy(update={"distribution": dict(sorted(masses.items())), "weighed_by": "jurors"})
    return Vote(merged, max(Counter(scores).values()) / len(scores))


def _combine_reviews(answers: Sequence[CaseReview]) -> Vote:
    """Return the review of the first juror who decides like most, with the context that most found."""
    labels, contexts = [review.answer for review in answers], [review.context for review in answers]
    label, context = majority(labels, tie="cannot_tell"), majority(contexts, tie="cannot_tell")
    source = next((review for review in answers if review.context == context), answers[0])
    merged = next((review for review in answers if review.answer == label), answers[0]).model_copy(
        update={
            "answer": label,
            "context": context,
            "deciding": source.deciding,
            "rank": source.rank,
            "acceptable_probability": _share(labels, "acceptable"),
            "sufficient_probability": _share(contexts, "sufficient"),
        }
    )
    return Vote(merged, (_share(labels, label) + _share(contexts, context)) / 2)


def _share(items: Sequence[Any], value: Any) -> float:  # noqa: ANN401  (words, choices, sets of passages)
    return sum(item == value for item in items) / len(items)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 1.0


_COMBINATIONS: Mapping[type[Answer], Callable[[Sequence[Any]], Vote]] = {
    Decisions: _combine_decisions,
    ClaimLocations: _combine_locations,
    AspectVerdict: _combine_opinions,
    ChosenAnswer: _combine_choices,
    Rating: _combine_ratings,
    CaseReview: _combine_reviews,
}
"""How answers of each kind are combined."""
