"""Ask, parse, check, and ask again with the error, until an answer is usable or the attempts are used up.

The only place where a judge's answer is parsed and asked for again.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ragstone.errors import JudgeError, ProviderError, UnreadableAnswer
from ragstone.judges.asking.answer_form import is_thought
from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Prompt
from ragstone.providers.base import Completion
from ragstone.providers.wire.parameter_support import schema_in_prompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One of the requests for an answer.

    Attributes:
        message: the user message.
        cut: the beginning of the last answer, if that was cut off at its limit of tokens.
    """

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

    Args:
        prompt: parses and checks an answer.
        user: the first user message.
        complete: sends an attempt. It raises `ProviderError` with `partial` for an answer that was cut off.
        attempts: the most requests.
        on_text: called with each answer to `user` itself, and whether it was cut off.

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
        text, cut = "", None
        try:
            completion = await complete(attempt)
            text = completion.text
        except JudgeError as error:
            usage += error.spent if isinstance(error.spent, Usage) else NO_USAGE
            cut = error.partial if isinstance(error, ProviderError) else None
            if cut is None or number == attempts or attempt.cut is not None:
                error.spent = usage
                raise
            problem = _CUT
        else:
            usage += completion.usage
            problem, answer = _problem_with(prompt, text)
            if answer is not None:
                _report(on_text, attempt, user, text)
                return Reply(answer, usage, request=attempt.message, response=text), completion
        _report(on_text, attempt, user, text, cut)
        attempt = Attempt(_again(prompt, user, problem) if cut is None or not is_thought(cut) else user, cut)
    times = "once" if attempts == 1 else f"{attempts} times"
    failure = UnreadableAnswer(f"{type(prompt).__name__} was asked {times} without a valid answer. {problem}")
    failure.spent = usage
    raise failure


_CUT = "It was cut off, since it was too long: begin with the answer itself, keep each text short, repeat nothing."


def _problem_with(prompt: Prompt[A], text: str) -> tuple[str, A | None]:
    """Return what is wrong with an answer, or the answer where nothing is."""
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


def _report(
    on_text: Callable[[str, bool], None] | None,
    attempt: Attempt,
    user: str,
    text: str,
    cut: str | None = None,
) -> None:
    if on_text is not None and attempt.message is user and attempt.cut is None:
        on_text(text if cut is None else cut, cut is not None)
