"""A jury: several judges answer, the majority decides, and a juror that fails is named and left out.

Lists of items (claims, statements, questions) cannot be voted on: the list of the first juror that answers is used, so
that all judge the same items. Where one prompt asks for items and verdicts at once, the other jurors are asked for
verdicts on the first juror's items. Source: Verga et al., arXiv:2404.18796.

Verdicts are combined by majority, ratings by their distribution. A tie between yes and no is idk if the prompt allows
it, else the first juror's verdict. Reviews of a case are combined for the answer and for the context separately; a tie
is `cannot_tell`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar, cast

from ragstone.errors import BadOption, JudgeError, describe
from ragstone.judges.base import Judge, JudgeLike, Reply
from ragstone.judges.catalog import get_judge
from ragstone.judges.open_items import verdict_prompt
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
    Prompt,
    Rating,
)
from ragstone.prompts.choose_answer import normalise_choice
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)
W = TypeVar("W", bound=str)


@dataclass(frozen=True, kw_only=True)
class JuryJudge(Judge):
    """Several judges as one.

    Attributes:
        jurors: judges or their specs, two or more; an odd number avoids ties.
        quorum: the fewest jurors that must answer.
        judges: the jurors as judges.
    """

    jurors: Sequence[str | JudgeLike]
    quorum: int = 1
    judges: tuple[Judge, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the options; specs become judges."""
        if isinstance(self.jurors, str) or len(self.jurors) < 2:  # noqa: PLR2004  (one judge is not a jury)
            raise BadOption(f"jurors={self.jurors!r}: write a list of two judges or more")
        if not 1 <= self.quorum <= len(self.jurors):
            raise BadOption(f"quorum={self.quorum!r}: write 1 to {len(self.jurors)}")
        object.__setattr__(self, "judges", tuple(get_judge(juror) for juror in self.jurors))

    @property
    def name(self) -> str:
        """The names of all jurors."""
        return f"jury({', '.join(judge.name for judge in self.judges)})"

    def can_answer(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether as many jurors as the quorum demands can answer prompts of a kind."""
        return sum(juror.can_answer(prompt) for juror in self.judges) >= self.quorum

    def in_batches(self) -> "JuryJudge":
        """Return the jury with every juror asked in batches."""
        return replace(self, jurors=[juror.in_batches() for juror in self.judges])

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the jury's answer, with the agreement and the jurors left out; see `Judge.ask`.

        Raises:
            JudgeError: fewer jurors answered than the quorum demands; the first failure is raised.
        """
        answered, failures = await _asked(self.judges, prompt)
        if len(answered) < self.quorum:
            raise next(iter(failures.values()))
        names, replies = [judge.name for judge, _ in answered], [reply for _, reply in answered]
        combined = vote([reply.answer for reply in replies])
        request = verdict_prompt(prompt, replies[0].answer)
        if combined is None and len(replies) > 1 and request is not None:
            more, failed = await _asked([judge for judge, _ in answered[1:]], request)
            combined = combine_verdicts(replies[0].answer, [reply.answer for _, reply in more])
            replies += [reply for _, reply in more]
            failures |= failed
        about: dict[str, Any] = {"prompt": type(prompt).__name__, "jurors": names}
        about |= {"agreement": combined.agreement} if combined else {}
        about |= {"left_out": {name: describe(error) for name, error in failures.items()}} if failures else {}
        costs = [reply.cost for reply in replies]
        return Reply(
            cast("A", combined.answer if combined else replies[0].answer),
            sum((reply.usage for reply in replies), Usage()),
            None if None in costs else sum(cast("list[float]", costs)),
            request=replies[0].request,
            response="\n".join(reply.response for reply in replies),
            about=about,
        )


async def _asked(
    judges: Sequence[Judge], prompt: Prompt[Any]
) -> tuple[list[tuple[Judge, Reply[Any]]], dict[str, JudgeError]]:
    outcomes = await asyncio.gather(*(judge.ask(prompt) for judge in judges), return_exceptions=True)
    answered: list[tuple[Judge, Reply[Any]]] = []
    failures: dict[str, JudgeError] = {}
    for judge, outcome in zip(judges, outcomes, strict=True):
        if isinstance(outcome, JudgeError):
            failures.setdefault(judge.name, outcome)
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            answered.append((judge, outcome))
    return answered, failures


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
