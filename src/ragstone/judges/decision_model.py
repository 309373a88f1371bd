"""A judge made of a decision model: typed questions about a state, answered with probabilities and without text.

Each item of a prompt is a question: which of the prompt's labels, or which score of its scale. The likeliest label is
the verdict if it has at least the probability `threshold`; else the verdict is undecided. Prompts that ask for texts,
such as claims, go to another judge.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ragstone.errors import BadOption
from ragstone.judges.asking.fingerprint import fingerprint
from ragstone.judges.base import Reply
from ragstone.judges.delegating import DelegatingJudge
from ragstone.judges.detection.server import Chosen, DecisionServer, Question
from ragstone.judges.open_items import OpenItems, filled_in, verdict_prompt
from ragstone.prompts import (
    Answer,
    AspectVerdict,
    AttributeStatements,
    ChooseLabel,
    ChosenAnswer,
    Decision,
    Decisions,
    Grounding,
    JudgePassages,
    Prompt,
    Rating,
)
from ragstone.prompts.base.fence import fence
from ragstone.prompts.choose_answer import CANNOT_TELL
from ragstone.providers.prices import cost
from ragstone.result import Usage
from ragstone.verdict import VerdictValue


@dataclass(frozen=True, kw_only=True)
class DecisionJudge(DelegatingJudge):
    """Judges with a decision model, and has another judge answer the prompts that ask for texts.

    Attributes:
        server: the server of the model.
        threshold: the least probability of the likeliest verdict; below it the verdict is undecided.
    """

    server: DecisionServer
    threshold: float = 0.5

    cacheable = True

    def __post_init__(self) -> None:
        """Check the threshold, and find the other judge."""
        super().__post_init__()
        if not 0 <= self.threshold < 1:
            raise BadOption(f"threshold={self.threshold!r} is no probability: write a number from 0 to 1")
        changed = f"#threshold={self.threshold:g}" if self.threshold != type(self).threshold else ""
        object.__setattr__(self, "name", self.name or f"{self.server.name}{changed}")

    def answers(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether prompts of a kind ask for verdicts or for a score on a fixed scale."""
        if issubclass(prompt, AttributeStatements | JudgePassages):
            return True
        if issubclass(prompt.answer, Decisions):
            return prompt.one_per is not None
        return issubclass(prompt.answer, AspectVerdict) or (
            (prompt.answer is Rating and bool(prompt.scale)) or issubclass(prompt, ChooseLabel)
        )

    def own_fingerprint(self, prompt: Prompt[Any]) -> str:
        """Return what decides the answer: model, threshold and prompt."""
        identity = f"{self.server.name} {sorted(self.server.options.items())} {self.threshold}"
        return fingerprint(identity, prompt, prompt.render(), 0.0)

    def price(self, usage: Usage) -> float | None:
        """Return what `usage` costs in US dollars; None where the price of the model is not known."""
        return cost(self.server.model, usage, None)

    @property
    def has_prices(self) -> bool:
        """Whether the price of the model is known."""
        return self.price(Usage(input_tokens=1)) is not None

    async def answer(self, prompt: Prompt[Any]) -> Reply[Any]:
        """Return the answer; see `Judge.ask`. Statements of a text are found by the other judge, and judged here."""
        if not isinstance(prompt, AttributeStatements | JudgePassages):
            return await self._decide(prompt)
        found = await self._others.ask(cast("Prompt[Any]", prompt))
        verdicts = verdict_prompt(prompt, found.answer)
        if verdicts is None or not verdicts.entry_count():
            return found
        reply = await self._decide(verdicts)
        places = tuple(range(verdicts.entry_count() or 0))
        return replace(reply, answer=filled_in(found.answer, OpenItems(verdicts, places), reply.answer))

    async def _decide(self, prompt: Prompt[Any]) -> Reply[Any]:
        state = "\n\n".join(fence(label, value) for label, value in (*prompt.evidence(), *prompt.lists()))
        chosen, usage = await self.server.ask(state, _questions(prompt))
        return Reply(self._answer(prompt, chosen), usage, self.price(usage))

    def _answer(self, prompt: Prompt[Any], chosen: Sequence[Chosen]) -> Answer:
        if prompt.answer is Rating:
            (scores,) = chosen
            distribution = {int(score): chance for score, chance in scores.items()}
            likeliest = max(distribution, key=distribution.__getitem__, default=prompt.scale[0])
            reason = f"{likeliest} is {distribution[likeliest]:.0%} likely" if distribution else _DECLINED
            return Rating(
                reason=reason, score=likeliest, distribution=distribution or None, undecided=not distribution
            )
        if isinstance(prompt, ChooseLabel):
            return self._choice(chosen[0])
        decisions = tuple(self._decision(prompt, scores) for scores in chosen)
        if prompt.answer is AspectVerdict:
            return AspectVerdict(reason=decisions[0].reason or "", verdict=decisions[0].verdict)
        return Decisions(verdicts=decisions)

    def _choice(self, chances: Chosen) -> ChosenAnswer:
        label = max(chances, key=chances.__getitem__, default=CANNOT_TELL)
        reason = f"{label} is {chances[label]:.0%} likely" if chances else _DECLINED
        sure = bool(chances) and chances[label] >= self.threshold
        return ChosenAnswer(
            reason=reason, choice=label if sure else CANNOT_TELL, probabilities=dict(chances) or None
        )

    def _decision(self, prompt: Prompt[Any], chances: Chosen) -> Decision:
        if not chances:
            return Decision(reason=_DECLINED, verdict="undecided")
        label = max(chances, key=chances.__getitem__)
        verdict: VerdictValue = prompt.labels[label] if chances[label] >= self.threshold else "undecided"
        supported = sum(chance for name, chance in chances.items() if prompt.labels[name] == "yes")
        reason = f"{label} is {chances[label]:.0%} likely"
        return Decision(reason=reason, verdict=verdict, evidence=Grounding(probability=min(1.0, supported)))


_DECLINED = "the model declined to answer"


def _questions(prompt: Prompt[Any]) -> list[Question]:
    if prompt.answer is Rating:
        return [Question(prompt.task(), tuple(map(str, prompt.scale)), ordered=True)]
    if isinstance(prompt, ChooseLabel):
        return [Question(prompt.task(), prompt.options)]
    labels = tuple(prompt.labels)
    count = prompt.entry_count()
    if count is None:
        return [Question(prompt.task(), labels)]
    return [
        Question(f"{prompt.task()}\n\nDecide for {prompt.noun} {number} alone.", labels)
        for number in range(1, count + 1)
    ]
