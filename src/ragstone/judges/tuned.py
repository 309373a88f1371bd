"""A tuned judge: a judge whose prompts show human decisions and rules before the evidence.

It has a name and wordings of its own, so that a comparison never mixes its scores with those of the plain judge.
"""

from dataclasses import replace
from hashlib import blake2b
from typing import Any, TypeVar

from ragstone.judges.base import Judge, JudgeWrapper, Reply
from ragstone.judges.tuning.judge_file import JudgeTuning
from ragstone.prompts import Answer, Prompt

A = TypeVar("A", bound=Answer)


class TunedJudge(JudgeWrapper):
    """Wraps a judge and shows it examples and rules.

    Attributes:
        judge: the judge that is asked.
        tuning: the examples and rules, the prompts that show them, and the fitted threshold.
    """

    def __init__(self, judge: Judge, tuning: JudgeTuning) -> None:
        """Wrap `judge` with the examples and rules of `tuning`."""
        super().__init__(judge)
        self.tuning = tuning
        self.combines = judge.combines and not tuning.guidance
        self._digest = tuning.digest

    @property
    def name(self) -> str:
        """The judge's name and the beginning of the hash."""
        return f"{self.judge.name}+tuned-{self._digest[:8]}"

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the judge's answer to the prompt with examples and rules."""
        return await self.judge.ask(self._guided(prompt))

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return the answer that the judge knows without asking."""
        return self.judge.recall(self._guided(prompt))

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return the judge's fingerprint of the prompt with examples and rules."""
        return self.judge.fingerprint(self._guided(prompt))

    def wording(self, prompt: type[Prompt[Any]]) -> str | None:
        """Return the digest of the wording of a prompt, with the examples and rules if the prompt shows them."""
        plain = self.judge.wording(prompt)
        if plain is None or prompt.__name__ not in self.tuning.prompts:
            return plain
        return blake2b(f"{plain} {self._digest}".encode(), digest_size=6).hexdigest()

    def in_batches(self) -> "TunedJudge":
        """Return the tuned judge with requests sent through the vendor's batch API."""
        return TunedJudge(self.judge.in_batches(), self.tuning)

    def tuned_threshold(self, spec: str) -> float | None:
        """Return the threshold that was fitted for the metric with that spec, None without one."""
        return self.tuning.threshold if spec == self.tuning.metric else None

    def _guided(self, prompt: Prompt[A]) -> Prompt[A]:
        if not self.tuning.guidance or type(prompt).__name__ not in self.tuning.prompts:
            return prompt
        return replace(prompt, guidance=self.tuning.guidance)
