"""A judge for a process of its own: writes down each prompt that it answers, and kills the process at a given one."""

import os
import signal
from pathlib import Path
from typing import TypeVar

from benchmarks.drafts.judge import WorldJudge
from benchmarks.drafts.world import World, make_world

from ragstone.engine.exchange import key_of
from ragstone.judges import Reply
from ragstone.prompts import Answer, Prompt

A = TypeVar("A", bound=Answer)


def small_world() -> World:
    """The world that the judge knows."""
    return make_world(things=20)


class KillingJudge(WorldJudge):
    """Kills its process instead of answering the prompt whose number KILL_AT says."""

    def __init__(self) -> None:
        """Know the small world."""
        super().__init__(small_world())
        self._kill_at = int(os.environ.get("KILL_AT", "0"))

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Answer, or kill."""
        if self.calls + 1 == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        reply = await super().ask(prompt)
        with Path(os.environ["CALLS"]).open("a") as file:  # noqa: ASYNC230  (a line, written at once)
            file.write(f"{key_of(prompt)}\n")
        return reply
