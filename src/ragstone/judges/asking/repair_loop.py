"""Ask, parse, check, and ask again with the error, until an answer is usable or the attempts are used up.

The only place where a judge's answer is parsed and asked for again.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from ragstone.errors import JudgeError, ProviderError, UnreadableAnswer
from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Prompt
from ragstone.providers.base import Completion
from ragstone.providers.wire.parameter_support import schema_in_prompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)

_THOUGHT_TAGS = ("<think", "<|channel|>analysis", "<reasoning", "<thought")
_ANSWER_STARTS = ("{", "[", "```")
_CUT = "It was cut off, since it was too long: begin with the answer itself, keep each text short, repeat nothing."


@dataclass(frozen=True, slots=True)
class Attempt:
    """One of the requests for an answer: its user message, and the last answer if that was cut off at its limit."""

    message: str
    cut: str | None = None


async def ask_with_repair(
    prompt: Prompt[A],
    user: str,
    complete: Callable[[Attempt], Awaitable[Completion]],
    *,
    attempts: int,
    on_text: Callable[[str, bool], None] | None = None,
) -> tuple[Reply[A], Completion]:
    """Return the first answer that `prompt` accepts, with the completion it was parsed from.

    An answer that the prompt accepts and doubts is asked for once more: the second answer counts if it is accepted.
    `complete` sends an attempt, and raises `ProviderError` with `partial` for an answer that was cut off. `on_text` is
    called with each answer to the first message, `user`, and whether it was cut off.

    Raises:
        UnreadableAnswer: no answer was accepted.
        ProviderError: the last answer was cut off too.
    """
    reply, completion = await _ask_until_accepted(prompt, user, complete, attempts=attempts, on_text=on_text)
    doubt = prompt.doubt(reply.answer) if reply.usage.calls < attempts else None
    if doubt is None:
        return reply, completion
    again = _again(prompt, user, doubt)
    try:
        second, second_completion = await _ask_until_accepted(prompt, again, complete, attempts=1)
    except JudgeError as error:
        spent = error.spent if isinstance(error.spent, Usage) else NO_USAGE
        return replace(reply, usage=reply.usage + spent), completion
    return replace(second, usage=reply.usage + second.usage), second_completion


async def _ask_until_accepted(
    prompt: Prompt[A],
    user: str,
    complete: Callable[[Attempt], Awaitable[Completion]],
    *,
    attempts: int,
    on_text: Callable[[str, bool], None] | None = None,
) -> tuple[Reply[A], Completion]:
    """Return the first answer that `prompt` accepts; see `ask_with_repair`."""
    usage, attempt, problem = NO_USAGE, Attempt(user), ""
    for number in range(1, attempts + 1):
        text, cut, answer, completion = "", None, None, None
        try:
            completion = await complete(attempt)
        except JudgeError as error:
            usage += error.spent if isinstance(error.spent, Usage) else NO_USAGE
            cut = error.partial if isinstance(error, ProviderError) else None
            if cut is None or number == attempts or attempt.cut is not None:
                error.spent = usage
                raise
            problem = _CUT
        else:
            text, usage = completion.text, usage + completion.usage
            problem, answer = _problem_with(prompt, text)
        if on_text is not None and attempt.message is user and attempt.cut is None:
            on_text(text if cut is None else cut, cut is not None)
        if completion is not None and answer is not None:
            return Reply(answer, usage, request=attempt.message, response=text), completion
        attempt = Attempt(_again(prompt, user, problem) if cut is None or not is_thought(cut) else user, cut)
    times = "once" if attempts == 1 else f"{attempts} times"
    failure = UnreadableAnswer(f"{type(prompt).__name__} was asked {times} without a valid answer. {problem}")
    failure.spent = usage
    raise failure


def _problem_with(prompt: Prompt[A], text: str) -> tuple[str, A | None]:
    if not text.strip():
        return "It was empty.", None
    try:
        answer = prompt.read(text)
    except ValueError as error:
        return str(error), None
    problem = prompt.check(answer)
    return (problem, None) if problem is not None else ("", answer)


def _again(prompt: Prompt[Any], user: str, problem: str) -> str:
    """Return the message that asks once more, with the problem and the schema in words."""
    message = f"{user}\n\nYour last answer to this was not usable. {problem} Answer again, in full."
    return schema_in_prompt(message, prompt.schema())


def is_thought(text: str) -> bool:
    """Return whether a text that ended early contains nothing of the answer: it is empty, or marked as thoughts."""
    return not text.strip() or (text.lstrip().startswith(_THOUGHT_TAGS) and "{" not in text)


def has_begun(text: str) -> bool:
    """Return whether a text that ended early is the beginning of an answer, not thoughts or prose before it."""
    return text.lstrip().startswith(_ANSWER_STARTS)


def obeys_schema(text: str, schema: Mapping[str, Any], *, is_cut: bool = False) -> bool | None:
    """Return whether an answer shows that the server constrains it to the schema; None where it shows neither.

    It is shown by an object with exactly the fields of the schema, or, in an answer that is cut off, with the first of
    them. An object without any of them, and prose, show that the schema was ignored. Nothing is shown by an empty
    answer, by thoughts, and by JSON that is damaged or inside prose: one such answer does not describe the server.
    """
    names: list[str] = list(schema.get("required", ()))
    if is_thought(text) or not names:
        return None
    if is_cut and has_begun(text):
        return text.split('"', 2)[1:2] == names[:1] or None
    return _has_fields(text, names) if "{" in text else False


def _has_fields(text: str, names: list[str]) -> bool | None:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    found = cast("dict[str, object]", value).keys()
    return found == set(names) or (False if found.isdisjoint(names) else None)
