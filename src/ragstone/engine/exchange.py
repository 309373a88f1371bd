"""One question and its answer, as those who listen may write it down, and as an interrupted run finds it again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, TypeVar, cast

from ragstone.judges.asking.stored_reply import StoredReply, read_stored_reply
from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt

A = TypeVar("A", bound=Answer)

Recall = Callable[[Prompt[Any]], Reply[Any] | None]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt and the reply to it. Nothing is written down before somebody asks for it."""

    prompt: Prompt[Any]
    reply: Reply[Any]

    @property
    def key(self) -> str:
        """A hash over all that was asked."""
        return key_of(self.prompt)

    @property
    def written(self) -> str:
        """The reply as JSON."""
        return StoredReply.of(self.reply).model_dump_json()

    @property
    def request(self) -> str:
        """The text that was sent; empty where none was."""
        return self.reply.request


def key_of(prompt: Prompt[Any]) -> str:
    """Return a hash over a prompt's class and fields: equal for equal prompts, also in another process."""
    kind = type(prompt)
    text = f"{kind.__module__}:{kind.__qualname__}\n{prompt!r}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def nothing(key: str) -> str | None:
    """Remember nothing: the past of a run that begins."""
    del key
    return None


def recall_from(past: Callable[[str], str | None], judge: Judge) -> Recall:
    """Return what finds a reply again: in the interrupted run first, then in the judge's own memory."""
    own = getattr(judge, "recall", None)
    if past is nothing:  # the usual case, in which no key need be worked out
        return own or _unknown

    def recall(prompt: Prompt[A]) -> Reply[A] | None:
        text = past(key_of(prompt))
        reply = None if text is None else read_stored_reply(text, prompt)
        if reply is not None:
            return replace(reply, recorded=True)
        return cast("Reply[A] | None", own(prompt)) if own else None

    return recall


def _unknown(prompt: Prompt[Any]) -> None:
    del prompt
