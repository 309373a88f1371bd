"""One prompt and its reply, in the form that listeners may store and that a resumed run looks up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, TypeVar

from ragstone.judges.asking.stored_reply import read_stored_reply, reply_json
from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt

A = TypeVar("A", bound=Answer)

Recall = Callable[[Prompt[Any]], Reply[Any] | None]

_OWN = "ragstone.prompts."


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt and the reply to it; serialised only when a listener asks for it."""

    prompt: Prompt[Any]
    reply: Reply[Any]

    @property
    def key(self) -> str:
        """A hash of the prompt."""
        return key_of(self.prompt)

    @property
    def written(self) -> str:
        """The reply as JSON."""
        return reply_json(self.reply)

    @property
    def request(self) -> str:
        """The text that was sent; empty where none was."""
        return self.reply.request


def key_of(prompt: Prompt[Any]) -> str:
    """Return a hash of a prompt's class and fields: equal for equal prompts, also in another process.

    The module of a built-in prompt is left out: a resumed run finds its replies after the prompt has moved.
    """
    kind = type(prompt)
    module = "" if kind.__module__.startswith(_OWN) else kind.__module__
    text = f"{module}:{kind.__qualname__}\n{prompt!r}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def recall_nothing(key: str) -> str | None:
    """Return None: a run that begins has no stored replies."""
    del key


def recall_from(stored: Callable[[str], str | None], judge: Judge) -> Recall:
    """Return a function that finds a reply in the interrupted run, else in the judge's own memory."""
    if stored is recall_nothing:  # the usual case, in which no key has to be computed
        return judge.recall

    def recall(prompt: Prompt[A]) -> Reply[A] | None:
        text = stored(key_of(prompt))
        reply = None if text is None else read_stored_reply(text, prompt)
        return judge.recall(prompt) if reply is None else replace(reply, recorded=True)

    return recall
