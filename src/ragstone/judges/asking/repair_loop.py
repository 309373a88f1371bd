"""Ask, parse, check, and ask again with the error, until an answer is usable or the attempts are used up.

The only place where a judge's answer is parsed and asked for again.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from ragstone.errors import JudgeError, UnreadableAnswer
from ragstone.judges.base import Reply
from ragstone.prompts import Answer, Prompt
from ragstone.providers.base import Completion
from ragstone.providers.wire.parameter_support import schema_in_prompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)


async def ask_with_repair(
    prompt: Prompt[A],
    user: str,
    complete: Callable[[str], Awaitable[Completion]],
    *,
    attempts: int,
    on_ignored_schema: Callable[[], None] | None = None,
) -> tuple[Reply[A], Completion]:
    """Return the first answer that `prompt` accepts, with the completion it was parsed from.

    Args:
        prompt: parses and checks an answer.
        user: the first user message.
        complete: sends a user message.
        attempts: the most requests.
        on_ignored_schema: called if the first answer does not fit the schema, but a later one does that was requested
            with the schema in the message: the server ignores schemas.

    Raises:
        UnreadableAnswer: no answer was accepted.
    """
    usage, message, problem, off_schema = NO_USAGE, user, "", False
    for _ in range(attempts):
        try:
            completion = await complete(message)
        except JudgeError as error:
            error.spent = usage + error.spent if isinstance(error.spent, Usage) else usage
            raise
        usage += completion.usage
        try:
            answer = prompt.read(completion.text)
        except ValueError as error:
            problem, off_schema = str(error), off_schema or message is user
        else:
            check_problem = prompt.check(answer)
            if check_problem is None:
                if off_schema and on_ignored_schema:
                    on_ignored_schema()
                return Reply(answer, usage, request=message, response=completion.text), completion
            problem = check_problem
        retry_message = f"{user}\n\nYour last answer to this was not usable. {problem} Answer again, in full."
        message = schema_in_prompt(retry_message, prompt.schema())
    times = "once" if attempts == 1 else f"{attempts} times"
    message = f"{type(prompt).__name__} was asked {times} without a valid answer. {problem}"
    failure = UnreadableAnswer(message)
    failure.spent = usage
    raise failure
