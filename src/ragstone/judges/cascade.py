"""Judges in a row, the cheap ones first: what one leaves undecided goes to the next, item by item.

A prompt goes to the first judge that answers its kind. The items of its answer that are `undecided` are asked of the
next judge, alone: of twelve claims, three. What the last judge leaves undecided stays so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from ragstone.errors import BadOption, CannotJudge, JudgeError
from ragstone.judges.adapted import as_judge
from ragstone.judges.base import Judge, JudgeLike, Reply
from ragstone.judges.open_items import OpenItems, by_judge, count_decided, filled_in, open_items
from ragstone.prompts import Answer, Prompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, kw_only=True)
class CascadeJudge(Judge):
    """Several judges, the cheapest first; each is asked what those before it left undecided.

    Attributes:
        judges: judges, two or more; `get_judge("local,openai:gpt-4o-mini")` finds them by their specs.
        members: the judges, in order.
    """

    judges: Sequence[JudgeLike]
    members: tuple[Judge, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the judges; their limits are those of the first one that has any."""
        if len(self.judges) < 2:  # noqa: PLR2004  (one judge has no next one)
            raise BadOption(f"judges={self.judges!r}: write a list of two judges or more, the cheapest first")
        members = tuple(as_judge(judge) for judge in self.judges)
        names = [member.name for member in members]
        if len(set(names)) < len(names):
            raise BadOption(f"judges={', '.join(names)}: the same judge twice decides nothing more")
        own = {
            "members": members,
            "limits": next((member.limits for member in members if member.limits is not None), None),
            "works_offline": all(member.works_offline for member in members),
            "dry_run": any(member.dry_run for member in members),
            "blind_spots": [f"{member.name}: {spot}" for member in members for spot in member.blind_spots],
        }
        for name, value in own.items():
            object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The names of the judges, in order, as `get_judge` reads them."""
        return ",".join(member.name for member in self.members)

    @property
    def has_prices(self) -> bool:
        """Whether all of them have prices."""
        return all(member.has_prices for member in self.members)

    def can_answer(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether any of them can answer prompts of a kind."""
        return any(member.can_answer(prompt) for member in self.members)

    def judge_of(self, prompt: type[Prompt[Any]]) -> str:
        """Return the names of the judges that are asked prompts of a kind, in order."""
        names = [member.judge_of(prompt) for member in self.members if member.can_answer(prompt)]
        return ",".join(dict.fromkeys(names)) or self.name

    def price(self, usage: Usage) -> float | None:
        """Return what `usage` costs with the last judge, the dearest."""
        return self.members[-1].price(usage)

    def wording(self, prompt: type[Prompt[Any]]) -> str | None:
        """Return the digest of the first judge that has one."""
        return next((digest for member in self.members if (digest := member.wording(prompt))), None)

    def in_batches(self) -> "CascadeJudge":
        """Return the same judges, those asked in batches that can be."""
        return replace(
            self,
            judges=[member if member.works_offline else member.in_batches() for member in self.members],
        )

    def wrapped(self, wrap: Callable[[Judge], Judge]) -> "CascadeJudge":
        """Return the same judges, each wrapped: a cache stands before each, so that it knows their own prompts."""
        return replace(self, judges=[member.wrapped(wrap) for member in self.members])

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the first judge's answer, with what it left undecided as the next ones decide it.

        Raises:
            JudgeError: no judge answers prompts of this kind, or one that had to be asked failed.
        """
        answer: A | None = None
        replies: list[Reply[Any]] = []
        decided: dict[str, int] = {}
        able = [member for member in self.members if member.can_answer(type(prompt))] or self.members[-1:]
        for member in able:
            items = OpenItems(prompt, None) if answer is None else open_items(prompt, answer)
            if items is None:
                break
            try:
                reply = await member.ask(items.prompt)
            except CannotJudge:
                if answer is None and member is able[-1]:
                    raise
                continue
            except JudgeError as error:
                _add_spent(error, replies)
                raise
            said = by_judge(reply.answer, member.name)
            answer = cast("A", said) if answer is None else filled_in(answer, items, said)
            decided[member.name] = count_decided(prompt, answer) - sum(decided.values())
            replies.append(reply if not member.works_offline else replace(reply, usage=NO_USAGE))
        return _joined(cast("A", answer), prompt, replies, decided)


def _add_spent(error: JudgeError, replies: Sequence[Reply[Any]]) -> None:
    own = error.spent if isinstance(error.spent, Usage) else NO_USAGE
    error.spent = sum((reply.usage for reply in replies), own)
    error.cost = (error.cost or 0.0) + sum(reply.cost or 0.0 for reply in replies)


def _joined(
    answer: A, prompt: Prompt[A], replies: Sequence[Reply[Any]], decided: Mapping[str, int]
) -> Reply[A]:
    """Return one reply for all: with the usage and cost of those that were paid, and who decided how many items."""
    costs = [reply.cost for reply in replies]
    return Reply(
        answer,
        sum((reply.usage for reply in replies), NO_USAGE),
        None if None in costs else sum(cast("list[float]", costs)),
        request="\n\n".join(reply.request for reply in replies if reply.request),
        response=answer.model_dump_json(),
        about={"prompt": type(prompt).__name__, "judges": dict(decided)},
        recorded=all(reply.recorded for reply in replies),
    )
