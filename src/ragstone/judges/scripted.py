"""A judge that answers from a script, for tests and for runnable documentation.

Its answers are treated like a model's: parsed, checked and asked for again, so a wrong script fails as a model would.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, Self, TypeVar

from ragstone.errors import CannotJudge
from ragstone.judges.asking.repair_loop import Attempt, ask_with_repair
from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.prompts.base.combined import CombinedPrompt
from ragstone.providers.base import Completion
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

Pattern = str | re.Pattern[str] | type[Prompt[Any]]
Scripted = Mapping[str, Any] | BaseException


class ScriptedJudge(Judge):
    """Answers from a script.

    Examples:
        >>> judge = ScriptedJudge().respond("capital", {"claims": ["Paris is the capital."]})

    Attributes:
        prompts: the user messages that were asked, in order.
    """

    works_offline = True
    combines = True

    def __init__(self, *, attempts: int = 3, name: str = "scripted") -> None:
        """Begin with an empty script."""
        self._name = name
        self.attempts = attempts
        self.prompts: list[str] = []
        self._script: list[tuple[Pattern, list[Scripted], bool]] = []

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: each copy of the script would begin with its first answer.

        Raises:
            TypeError: always.
        """
        raise TypeError(
            "a ScriptedJudge cannot be sent to another process: it uses its answers in order, and records its prompts"
        )

    @property
    def name(self) -> str:
        """The name given to it."""
        return self._name

    def respond(self, pattern: Pattern, answer: Scripted | Sequence[Scripted]) -> Self:
        """Add a rule; the first that matches wins.

        Args:
            pattern: a prompt class, or a regular expression searched for in the rendered prompt.
            answer: the properties of the answer as on the wire, or an exception to raise. Given a list, each answer is
                given once, in turn.
        """
        several = isinstance(answer, Sequence)
        self._script.append((pattern, list(answer) if several else [answer], several))
        return self

    def clear(self) -> None:
        """Forget the script and the recorded prompts."""
        self._script.clear()
        self.prompts.clear()

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the scripted answer; see `Judge.ask`."""

        async def complete(attempt: Attempt) -> Completion:
            user = attempt.message
            self.prompts.append(user)
            usage = Usage(calls=1, input_tokens=len(user) // 4)
            return Completion(text=self._next_answer(prompt, user), usage=usage, model=self.name)

        reply, _ = await ask_with_repair(prompt, prompt.render().user, complete, attempts=self.attempts)
        return reply

    def _next_answer(self, prompt: Prompt[Any], user: str) -> str:
        if isinstance(prompt, CombinedPrompt):
            return prompt.joined(self._next_answer(part, part.render().user) for part in prompt.parts)
        for pattern, answers, several in self._script:
            if isinstance(prompt, pattern) if isinstance(pattern, type) else re.search(pattern, user):
                if not answers:
                    raise CannotJudge(
                        f"The script has no further answer for {type(prompt).__name__} ({pattern!r})."
                    )
                answer = answers.pop(0) if several else answers[0]
                if isinstance(answer, BaseException):
                    raise answer
                return json.dumps(answer)
        raise CannotJudge(
            f"The script has no answer for {type(prompt).__name__}: "
            f"add .respond({type(prompt).__name__}, {{…}}) with the fields {sorted(prompt.schema()['properties'])}."
        )
