"""Prompts of one test case that wait at the same moment are grouped: those about the same evidence become one call."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.engine.combining import replies_to
from ragstone.judges.base import Reply
from ragstone.prompts import Prompt
from ragstone.prompts.base.combined import CombinedPrompt, EvidenceKey, evidence_key, may_join


@dataclass(slots=True, eq=False)
class InFlightPrompt:
    """A prompt that was scheduled, and the task that returns the reply.

    Attributes:
        admitted: time at which the rate limits admitted the call; None while it waits.
        parts: of a combined prompt, the prompts that wait for it.
    """

    task: "asyncio.Task[Reply[Any]] | None" = None
    admitted: float | None = None
    parts: Sequence["InFlightPrompt"] = ()

    def admit(self, when: float | None) -> None:
        """Set the time at which the call was admitted, for the parts too."""
        for prompt in (self, *self.parts):
            prompt.admitted = when


WaitLog = list[tuple[float, InFlightPrompt]]
"""The times at which a measurement began to wait, each with the prompt that it waits for."""

AskJudge = Callable[[Prompt[Any], InFlightPrompt, int], Awaitable[Reply[Any]]]
"""Asks a prompt about the test case of an index."""

_GROUPING_TURNS = 4
"""Event-loop turns within which the metrics of a test case, started together, ask their first prompts."""


@dataclass(frozen=True, slots=True, eq=False)
class _WaitingPrompt:
    prompt: Prompt[Any]
    in_flight: InFlightPrompt
    reply: asyncio.Future[Reply[Any]]


class PromptGroups:
    """The groups of one run that still take prompts."""

    def __init__(self, ask: AskJudge) -> None:
        """Ask through `ask`."""
        self._ask = ask
        self._open_groups: dict[tuple[int, EvidenceKey], list[_WaitingPrompt]] = {}

    async def ask(self, prompt: Prompt[Any], in_flight: InFlightPrompt, case_index: int) -> Reply[Any] | None:
        """Return the reply to a prompt, asked together with the others of its group; None for one to be asked alone.

        The first prompt of a group waits a few turns of the event loop for others, then asks for all.
        """
        evidence = evidence_key(prompt)
        if evidence is None:
            return None
        key = case_index, evidence
        group = self._open_groups.get(key, [])
        waiting = _WaitingPrompt(prompt, in_flight, asyncio.get_running_loop().create_future())
        if group and may_join(prompt, [member.prompt for member in group]):
            group.append(waiting)
            return await waiting.reply
        group = self._open_groups[key] = [waiting]
        for _ in range(_GROUPING_TURNS):
            await asyncio.sleep(0)
        if self._open_groups.get(key) is group:
            del self._open_groups[key]
        if len(group) == 1:
            return None
        await self._ask_together(group, case_index)
        return await waiting.reply

    async def _ask_together(self, group: Sequence[_WaitingPrompt], case_index: int) -> None:
        prompt = CombinedPrompt(parts=tuple(member.prompt for member in group))
        in_flight = InFlightPrompt(parts=[member.in_flight for member in group])
        try:
            reply = await self._ask(prompt, in_flight, case_index)
        except asyncio.CancelledError:
            for member in group:
                member.reply.cancel()
            raise
        except Exception as error:  # noqa: BLE001  (any error of a judge goes to every prompt of the group)
            outcomes: list[Reply[Any] | Exception] = [error] * len(group)
        else:
            outcomes = [outcome for _, outcome in replies_to(prompt, reply)]
        for member, outcome in zip(group, outcomes, strict=True):
            if member.reply.done():  # the run ends, and no caller waits
                continue
            if isinstance(outcome, Exception):
                member.reply.set_exception(outcome)
            else:
                member.reply.set_result(outcome)
