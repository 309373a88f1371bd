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

_STORED_AS = {  # prompts that have moved: the module that the keys in stored runs name
    f"ragstone.prompts.{now}:{name}": f"ragstone.prompts.{stored}:{name}"
    for name, now, stored in (
        ("DeriveSteps", "form_steps", "derive_steps"),
        ("ExtractClaims", "extract", "extract_claims"),
        ("ExtractEntities", "extract", "extract_entities"),
        ("ExtractOpinions", "judge_opinions", "extract_opinions"),
        ("ExtractStatements", "extract", "extract_statements"),
        ("ExtractTruths", "extract", "extract_truths"),
        ("FillForm", "form_steps", "fill_form"),
        ("GenerateQuestions", "write_questions", "generate_questions"),
        ("JudgeArguments", "judge_criteria", "judge_arguments"),
        ("LocateClaims", "judge_claims", "locate_claims"),
        ("PreferAnswer", "choose_answer", "prefer_answer"),
        ("RateGrounding", "rate_passages", "rate_grounding"),
        ("RateStatement", "rate_passages", "rate_grounding"),
        ("SummariseReasons", "write_reasons", "summarise_reasons"),
        ("WriteRules", "write_reasons", "write_rules"),
    )
}


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
    """Return a hash of a prompt's class and fields: equal for equal prompts, also in another process."""
    kind = type(prompt)
    name = f"{kind.__module__}:{kind.__qualname__}"
    text = f"{_STORED_AS.get(name, name)}\n{prompt!r}"
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
