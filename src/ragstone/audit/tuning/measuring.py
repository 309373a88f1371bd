"""Measurement of labelled cases by a judge with examples or rules; each case is measured once for each guidance."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone.api import evaluate
from ragstone.audit.tuning.labelled import LabelledRun, Places
from ragstone.blocking import run_blocking
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import BudgetExceeded, JudgeError, describe
from ragstone.judges import Judge, TunedJudge
from ragstone.judges.tuned import JudgeTuning
from ragstone.metrics import Metric
from ragstone.prompts import Prompt, WriteRules
from ragstone.prompts.base.guidance import Guidance
from ragstone.providers.http.transport import open_transport

_DECIDING_FIELDS = frozenset({"verdict", "score", "choice"})


def deciding_prompts(metric: Metric) -> tuple[str, ...]:
    """Return the names of a metric's prompts that decide: those whose answers hold a verdict, a score or a choice."""
    return tuple(sorted(prompt.__name__ for prompt in metric.prompts if _decides(prompt)))


def _decides(prompt: type[Prompt[Any]]) -> bool:
    return bool(_property_names(prompt.answer_schema()) & _DECIDING_FIELDS)


def _property_names(schema: object) -> set[str]:
    """Return the names of all properties in a schema, at any depth."""
    if isinstance(schema, dict):
        names = set(schema.get("properties", ()))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportUnknownVariableType]
        return names.union(*(_property_names(value) for value in schema.values()))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(schema, list | tuple):
        return set[str]().union(*(_property_names(value) for value in schema))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return set()


class GuidedMeasurement:
    """Measures cases with a judge, and caches the scores.

    Attributes:
        measured: number of measurements.
        failed: number of measurements without a score.
        cost: US dollars; None if a price is not known.
        notes: messages on other failures.
    """

    def __init__(self, run: LabelledRun, judge: Judge, spec: str, **options: Any) -> None:  # noqa: ANN401
        """Measure the cases of `run` with `judge`, which has the spec `spec`, and options of `evaluate`."""
        self._run, self._judge, self._options = run, judge, options
        self._plain_tuning = JudgeTuning(spec, run.metric.spec, prompts=deciding_prompts(run.metric))
        self._scores: dict[tuple[Guidance, int], float] = {}
        self._rules: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.measured = self.failed = 0
        self.cost: float | None = 0.0
        self.notes: list[str] = []

    def tuning(self, guidance: Guidance, threshold: float | None = None) -> JudgeTuning:
        """Return the tuning of the judge with this guidance and threshold."""
        return replace(self._plain_tuning, guidance=guidance, threshold=threshold)

    def __call__(self, guidance: Guidance, places: Places) -> NDArray[np.float64]:
        """Return the scores of the cases, as 1 - score if lower is better; NaN for a case without a score."""
        place_list: list[int] = places.tolist()
        missing = [place for place in place_list if (guidance, place) not in self._scores]
        if missing:
            judge = TunedJudge(self._judge, self.tuning(guidance))
            cases = [self._run.cases[place] for place in missing]
            report = evaluate(cases, self._run.metric, judge=judge, progress=False, **self._options)
            if not report.complete:
                raise BudgetExceeded(
                    f"The budget was spent after {self.measured + len(report.results):,} measurements, before "
                    "tuning was finished: raise --max-cost, or use fewer --folds."
                )
            for place, (result,) in zip(missing, report.results, strict=True):
                self._scores[guidance, place] = self._oriented(result.score)
                self.measured += 1
                self.failed += result.score is None
                self._add_cost(result.evaluation_cost)
        return np.array([self._scores[guidance, place] for place in place_list], dtype=np.float64)

    def write_rules(self, disagreements: Sequence[str]) -> tuple[str, ...]:
        """Return the rules that the judge writes from descriptions of disagreements; none if it fails."""
        texts = tuple(disagreements)
        if texts not in self._rules:
            try:
                self._rules[texts] = run_blocking(self._ask_for_rules, texts)
            except JudgeError as error:
                self._rules[texts] = ()
                self.notes.append(f"No rules were written: {describe(error)}")
        return self._rules[texts]

    async def _ask_for_rules(self, disagreements: tuple[str, ...]) -> tuple[str, ...]:
        scheduler = PromptScheduler(self._judge)
        async with open_transport():
            try:
                scheduled = await scheduler.ask(WriteRules(disagreements=disagreements), -1, [])
            finally:
                await scheduler.close()
        self._add_cost(scheduled.reply.cost)
        return scheduled.reply.answer.rules

    def _oriented(self, score: float | None) -> float:
        if score is None:
            return np.nan
        return score if self._run.metric.higher_is_better else 1.0 - score

    def _add_cost(self, cost: float | None) -> None:
        self.cost = None if cost is None or self.cost is None else self.cost + cost
