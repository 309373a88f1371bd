"""Prompts that the worker pool has not answered yet."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from ragstone.judges.local.workers.frames import pack
from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt

_EVIDENCE_FIELDS = ("source", "passages", "contexts", "evidence_texts")


@dataclass(slots=True, eq=False)
class PendingAnswer:
    """A prompt that waits for its answer.

    Attributes:
        frame: the frame of the prompt.
        prompt_class: name of the prompt's class, for messages.
        evidence_hash: hash of the prompt's passages, which a process analyses once for all prompts on them; 0 for none.
        answer: future of the answer or the exception.
        lost_workers: number of processes that ended while they worked on it.
    """

    frame: bytes
    prompt_class: str
    evidence_hash: int
    answer: "asyncio.Future[Answer]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    lost_workers: int = 0

    @classmethod
    def of(cls, prompt: Prompt[Any]) -> "PendingAnswer":
        """Return the pending answer to a prompt."""
        texts = next((value for name in _EVIDENCE_FIELDS if (value := getattr(prompt, name, None))), ())
        return cls(pack(prompt), type(prompt).__name__, hash(tuple(texts)) if texts else 0)

    def settle(self, reply: Answer | Exception) -> None:
        """Set the result of `answer`, unless it is done already."""
        if self.answer.done():
            return
        if isinstance(reply, Exception):
            self.answer.set_exception(reply)
        else:
            self.answer.set_result(reply)
