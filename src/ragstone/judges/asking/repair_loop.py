"""Ask, read, and ask again with what was wrong, until the answer keeps its contract or the attempts are used up."""

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
    """Return the first answer that keeps the contract of `prompt`, with the completion it was read from.

    Args:
        prompt: says how the answer must look.
        user: the user message to begin with.
        complete: sends a user message.
        attempts: how often to ask at most.

    Raises:
        UnreadableAnswer: no answer kept the contract.
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
            answer = _read(prompt, completion.text)
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


def _read(prompt: Prompt[A], text: str) -> A:
    answer = cast("A", parse_answer(text, prompt.answer))
    problem = prompt.check(answer)
    if problem is not None:
        raise ValueError(problem)
    return answer
