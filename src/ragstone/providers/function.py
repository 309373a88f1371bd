"""A function of yours as a provider: it takes the prompt as text and returns the answer as text."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from ragstone.errors import JudgeError, ProviderError, describe
from ragstone.providers.base import Completion, Request
from ragstone.result import Usage

PromptFunction = Callable[[str], Any]
"""Takes a prompt, returns the answer: text, or an object that is written as JSON; a coroutine function is awaited."""


class FunctionProvider:
    """A provider that calls a function with the whole prompt, the schema of the answer included.

    A plain function is called in a thread, so that it may block. Its answers are not cached, since what it does is not
    known.
    """

    name = "function"
    fingerprint = ""
    supports_structured_outputs = False
    supports_log_probs = False
    supports_multimodal = False

    def __init__(self, function: PromptFunction) -> None:
        self._function = function
        self.model: str = getattr(function, "__name__", type(function).__name__)

    async def complete(self, request: Request) -> Completion:
        """Return what the function returns.

        Raises:
            ProviderError: the function raised an error, or returned nothing that can be written as JSON.
        """
        try:
            answer = await self._call(f"{request.system}\n\n{request.user}")
            text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        except JudgeError:
            raise
        except Exception as error:
            raise ProviderError(f"{self.name}:{self.model} failed: {describe(error)}") from error
        return Completion(text, Usage(calls=1), self.model)

    async def _call(self, prompt: str) -> object:
        if inspect.iscoroutinefunction(self._function) or inspect.iscoroutinefunction(
            getattr(self._function, "__call__", None)  # noqa: B004  (an object with an async __call__)
        ):
            return await cast("Awaitable[object]", self._function(prompt))
        answer: object = await asyncio.to_thread(self._function, prompt)
        return await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer
