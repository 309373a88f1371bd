"""A jury: several judges answer, the majority decides, and a juror that fails is named and left out.

Lists of items (claims, statements, questions) cannot be voted on: the list of the first juror that answers is used, so
that all judge the same items. Where one prompt asks for items and verdicts at once, the other jurors are asked for
verdicts on the first juror's items. Source: Verga et al., arXiv:2404.18796.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from ragstone.errors import BadOption, JudgeError, describe
from ragstone.judges.base import Judge, JudgeLike, Reply
from ragstone.judges.catalog import get_judge
from ragstone.judges.open_items import verdict_prompt
from ragstone.judges.vote import Vote, majority, vote
from ragstone.prompts import (
    Answer,
    Attributions,
    Decisions,
    PassageStatements,
    Prompt,
)
from ragstone.result import Usage
from ragstone.verdict import VerdictValue

A = TypeVar("A", bound=Answer)
Spoken = tuple[str, Reply[Any]]


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
        outcomes = await asyncio.gather(*(judge.ask(prompt) for judge in self.judges), return_exceptions=True)
        answered: list[Spoken] = []
        failed: dict[str, str] = {}
        failures: list[JudgeError] = []
        for judge, outcome in zip(self.judges, outcomes, strict=True):
            if isinstance(outcome, JudgeError):
                failures.append(outcome)
                failed[judge.name] = describe(outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                answered.append((judge.name, outcome))
        if len(answered) < self.quorum:
            raise failures[0]
        return await self._combine_replies(prompt, answered, failed)

    async def _combine_replies(
        self, prompt: Prompt[A], answered: list[Spoken], failed: dict[str, str]
    ) -> Reply[A]:
        replies = [reply for _, reply in answered]
        combined = vote([reply.answer for reply in replies])
        if combined is None and len(answered) > 1:
            combined, more_replies = await self._judge_items_of_first(prompt, answered, failed)
            replies += more_replies
        answer = combined.answer if combined else replies[0].answer
        about: dict[str, Any] = {"prompt": type(prompt).__name__, "jurors": [name for name, _ in answered]}
        if combined:
            about["agreement"] = combined.agreement
        if failed:
            about["left_out"] = failed
        costs = [reply.cost for reply in replies]
        return Reply(
            cast("A", answer),
            sum((reply.usage for reply in replies), Usage()),
            None if None in costs else sum(cast("list[float]", costs)),
            request=replies[0].request,
            response="\n".join(reply.response for reply in replies),
            about=about,
        )

    async def _judge_items_of_first(
        self, prompt: Prompt[Any], answered: list[Spoken], failed: dict[str, str]
    ) -> tuple[Vote | None, list[Reply[Any]]]:
        """Ask the other jurors for verdicts on the first juror's items."""
        first = answered[0][1].answer
        request = verdict_prompt(prompt, first)
        if request is None:
            return None, []
        others = [judge for judge in self.judges if judge.name in {name for name, _ in answered[1:]}]
        outcomes = await asyncio.gather(*(judge.ask(request) for judge in others), return_exceptions=True)
        more_replies: list[Reply[Any]] = []
        for judge, outcome in zip(others, outcomes, strict=True):
            if isinstance(outcome, JudgeError):
                failed[judge.name] = describe(outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                more_replies.append(outcome)
        return _combine_verdicts(first, [reply.answer for reply in more_replies]), more_replies


def _combine_verdicts(first: Answer, others: Sequence[Decisions]) -> Vote | None:
    if not isinstance(first, Attributions | PassageStatements):
        return None
    columns: list[list[VerdictValue]] = [
        [item.verdict, *(other.verdicts[n].verdict for other in others)]
        for n, item in enumerate(first.verdicts)
    ]
    decided: list[VerdictValue] = [majority(column, tie=column[0]) for column in columns]
    shares = [column.count(word) / len(column) for column, word in zip(columns, decided, strict=True)]
    items = tuple(
        item.model_copy(update={"verdict": word}) for item, word in zip(first.verdicts, decided, strict=True)
    )
    agreement = sum(shares) / len(shares) if shares else 1.0
    return Vote(first.model_copy(update={"verdicts": items}), agreement)
