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
from ragstone.judges.vote import Vote, majority, vote
from ragstone.prompts import (
    Answer,
    AttributeStatements,
    Attributions,
    Decisions,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
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

    def in_batches(self) -> "JuryJudge":
        """Return the jury with every juror asked in batches."""
        return replace(self, jurors=[juror.in_batches() for juror in self.judges])

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the jury's answer, with the agreement and the jurors left out; see `Judge.ask`.

        Raises:
            JudgeError: fewer jurors answered than the quorum demands; the first failure is raised.
        """
        outcomes = await asyncio.gather(*(judge.ask(prompt) for judge in self.judges), return_exceptions=True)
        spoken: list[Spoken] = []
        failed: dict[str, str] = {}
        failures: list[JudgeError] = []
        for judge, outcome in zip(self.judges, outcomes, strict=True):
            if isinstance(outcome, JudgeError):
                failures.append(outcome)
                failed[judge.name] = describe(outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                spoken.append((judge.name, outcome))
        if len(spoken) < self.quorum:
            raise failures[0]
        return await self._put_together(prompt, spoken, failed)

    async def _put_together(
        self, prompt: Prompt[A], spoken: list[Spoken], failed: dict[str, str]
    ) -> Reply[A]:
        replies = [reply for _, reply in spoken]
        found = vote([reply.answer for reply in replies])
        if found is None and len(spoken) > 1:
            found, more = await self._on_the_items_of_the_first(prompt, spoken, failed)
            replies += more
        answer = found.answer if found else replies[0].answer
        about: dict[str, Any] = {"prompt": type(prompt).__name__, "jurors": [name for name, _ in spoken]}
        if found:
            about["agreement"] = found.agreement
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

    async def _on_the_items_of_the_first(
        self, prompt: Prompt[Any], spoken: list[Spoken], failed: dict[str, str]
    ) -> tuple[Vote | None, list[Reply[Any]]]:
        """Ask the other jurors for verdicts on the first juror's items."""
        first = spoken[0][1].answer
        second = _verdicts_alone(prompt, first)
        if second is None:
            return None, []
        others = [judge for judge in self.judges if judge.name in {name for name, _ in spoken[1:]}]
        outcomes = await asyncio.gather(*(judge.ask(second) for judge in others), return_exceptions=True)
        more: list[Reply[Any]] = []
        for judge, outcome in zip(others, outcomes, strict=True):
            if isinstance(outcome, JudgeError):
                failed[judge.name] = describe(outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                more.append(outcome)
        return _joined(first, [reply.answer for reply in more]), more


def _verdicts_alone(prompt: Prompt[Any], first: Answer) -> Prompt[Decisions] | None:
    if isinstance(prompt, AttributeStatements) and isinstance(first, Attributions):
        items = tuple(item.statement for item in first.verdicts)
        return JudgeClaims(evidence_texts=prompt.passages, claims=items, source=prompt.passages)
    if isinstance(prompt, JudgePassages) and isinstance(first, PassageStatements):
        return JudgeStatements(
            input=prompt.input, statements=tuple(item.statement for item in first.verdicts)
        )
    return None


def _joined(first: Answer, others: Sequence[Decisions]) -> Vote | None:
    if not isinstance(first, Attributions | PassageStatements):
        return None
    words: list[list[VerdictValue]] = [
        [item.verdict, *(other.verdicts[n].verdict for other in others)]
        for n, item in enumerate(first.verdicts)
    ]
    decided: list[VerdictValue] = [majority(said, tie=said[0]) for said in words]
    shares = [said.count(word) / len(said) for said, word in zip(words, decided, strict=True)]
    items = tuple(
        item.model_copy(update={"verdict": word}) for item, word in zip(first.verdicts, decided, strict=True)
    )
    agreement = sum(shares) / len(shares) if shares else 1.0
    return Vote(first.model_copy(update={"verdicts": items}), agreement)
