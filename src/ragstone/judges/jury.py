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
from ragstone.judges.vote import combine_verdicts, vote
from ragstone.prompts import Answer, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


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
    """Return the replies of the judges that answered, and by name why the others did not."""
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
