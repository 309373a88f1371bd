"""Combine several answers to one prompt: verdicts by majority, ratings by their distribution.

A tie between yes and no is idk if the prompt allows it, else the first juror's verdict.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ragstone.prompts import (
    Answer,
    AspectVerdict,
    ChosenAnswer,
    ClaimLocation,
    ClaimLocations,
    Decision,
    Decisions,
    Grounding,
    Rating,
)
from ragstone.prompts.choose_answer import normalise_choice
from ragstone.verdict import VerdictValue


class Vote(NamedTuple):
    """One answer of several, and the mean share of jurors who agree with it."""

    answer: Answer
    agreement: float


def vote(answers: Sequence[Answer]) -> Vote | None:
    """Return the combination of several answers of one kind and length; None if they cannot be combined."""
    first = answers[0]
    if isinstance(first, Decisions):
        return _decisions([answer for answer in answers if isinstance(answer, Decisions)])
    if isinstance(first, ClaimLocations):
        return _locations([answer for answer in answers if isinstance(answer, ClaimLocations)])
    if isinstance(first, AspectVerdict):
        return _opinions([answer for answer in answers if isinstance(answer, AspectVerdict)])
    if isinstance(first, ChosenAnswer):
        return _choices([answer for answer in answers if isinstance(answer, ChosenAnswer)])
    if isinstance(first, Rating):
        return _ratings([answer for answer in answers if isinstance(answer, Rating)])
    return None


def majority(words: Sequence[VerdictValue], *, tie: VerdictValue) -> VerdictValue:
    """Return the most frequent verdict; `tie` if another one is as frequent."""
    (word, count), *others = Counter(words).most_common()
    return tie if others and others[0][1] == count else word


def _decisions(answers: Sequence[Decisions]) -> Vote:
    columns = list(zip(*(answer.verdicts for answer in answers), strict=True))
    decided = [_decision(column) for column in columns]
    return Vote(
        type(answers[0])(verdicts=tuple(decided)),
        _mean(
            [
                _share([item.verdict for item in column], word.verdict)
                for column, word in zip(columns, decided, strict=True)
            ]
        ),
    )


def _decision(said: Sequence[Decision]) -> Decision:
    word = majority([item.verdict for item in said], tie="idk")
    spoken = next((item for item in said if item.verdict == word), said[0])
    places = spoken.evidence
    evidence = Grounding(
        passage=places.passage, span=places.span, probability=_share([item.verdict for item in said], "yes")
    )
    return Decision(reason=spoken.reason, passage=spoken.passage, verdict=word, evidence=evidence)


def _locations(answers: Sequence[ClaimLocations]) -> Vote:
    columns = list(zip(*(answer.verdicts for answer in answers), strict=True))
    needed = len(answers) / 2
    decided: list[ClaimLocation] = []
    shares: list[float] = []
    for column in columns:
        counts = Counter(number for item in column for number in set(item.passages))
        chosen = tuple(sorted(number for number, count in counts.items() if count > needed))
        decided.append(ClaimLocation(reason=column[0].reason, passages=chosen))
        shares.append(_share([tuple(sorted(set(item.passages))) for item in column], chosen))
    return Vote(ClaimLocations(verdicts=tuple(decided)), _mean(shares))


def _opinions(answers: Sequence[AspectVerdict]) -> Vote:
    word = majority([answer.verdict for answer in answers], tie=answers[0].verdict)
    spoken = next(answer for answer in answers if answer.verdict == word)
    return Vote(spoken, _share([answer.verdict for answer in answers], word))


def _choices(answers: Sequence[ChosenAnswer]) -> Vote:
    plain = [normalise_choice(answer.choice) for answer in answers]
    choice, _ = Counter(plain).most_common(1)[0]
    return Vote(answers[plain.index(choice)], _share(plain, choice))


def _ratings(answers: Sequence[Rating]) -> Vote:
    masses: dict[int, float] = {}
    for answer in answers:
        for score, mass in (answer.distribution or {answer.score: 1.0}).items():
            masses[score] = masses.get(score, 0.0) + mass / len(answers)
    mean = sum(score * mass for score, mass in masses.items())
    nearest = min(answers, key=lambda answer: abs(answer.score - mean))
    scores = [answer.score for answer in answers]
    joined = nearest.model_copy(update={"distribution": dict(sorted(masses.items())), "weighed_by": "jurors"})
    return Vote(joined, max(Counter(scores).values()) / len(scores))


def _share(said: Sequence[Any], word: Any) -> float:  # noqa: ANN401  (words, choices, sets of passages)
    return sum(item == word for item in said) / len(said)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 1.0
