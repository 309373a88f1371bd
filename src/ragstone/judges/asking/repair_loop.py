"""Ask, parse, check, and ask again with what was wrong, until an answer is usable or the attempts are used up.

The only place where a judge's answer is parsed and asked for again.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

from ragstone.errors import JudgeError, UnreadableAnswer
from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Prompt, parse_answer
from ragstone.providers.base import Completion
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


async def ask_with_repair(
    prompt: Prompt[A],
    user: str,
    complete: Callable[[str], Awaitable[Completion]],
    *,
    attempts: int,
) -> tuple[Reply[A], Completion]:
    """Return the first answer that `prompt` accepts, with the completion it was parsed from.

    Args:
        prompt: says what an answer must look like.
        user: the first user message.
        complete: sends a user message.
        attempts: how often to ask at most.

    Raises:
        UnreadableAnswer: no answer was accepted.
    """
    usage, message, problem = Usage(), user, ""
    for _ in range(attempts):
        try:
            completion = await complete(message)
        except JudgeError as error:
            error.spent = usage + error.spent if isinstance(error.spent, Usage) else usage
            raise
        usage += completion.usage
        try:
            answer = _parse(prompt, completion.text)
        except ValueError as error:
            problem = str(error)
            message = f"{user}\n\nYour last answer to this was not usable. {problem} Answer again, in full."
        else:
            return Reply(answer, usage, request=message, response=completion.text), completion
    times = "once" if attempts == 1 else f"{attempts} times"
    message = f"{type(prompt).__name__} was asked {times} and not answered as it must be. {problem}"
    failure = UnreadableAnswer(message)
    failure.spent = usage
    raise failure


def _parse(prompt: Prompt[A], text: str) -> A:
    answer = cast("A", parse_answer(text, prompt.answer))
    problem = prompt.check(answer)
    if problem is not None:
        raise ValueError(problem)
    return answer
