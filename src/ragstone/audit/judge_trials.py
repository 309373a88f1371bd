"""Test a judge in four trials, and return its judge card.

1. Consistency: are repeated answers equal?            the dataset, `repeats` times
2. Rewording: are answers to reworded prompts equal?   reworded versions of the deciding prompts (`_rewording.py`)
3. Do length or the order of passages move the score?  each answer written twice; the passages in reverse order
4. Position: does the order of two answers matter?     actual against expected output, in both orders

None of these changes should move a score. Source of the protocol: Zheng et al. 2023, arXiv:2306.05685, section 3.3.
"""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Any, cast

from ragstone.api import evaluate
from ragstone.audit._rewording import REWORDINGS, RewordedJudge
from ragstone.case import TestCase
from ragstone.datasets import read_dataset, source_name
from ragstone.engine.context import MetricContext
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.judge_card import JudgeReport
from ragstone.judges import JudgeLike, get_judge
from ragstone.metrics import Metric, Score, parse
from ragstone.prompts import PreferAnswer
from ragstone.stats.judge_card import (
    Choice,
    JudgeCard,
    PositionBias,
    Rewording,
    ScoreShift,
    SelfConsistency,
    position_bias,
    rewording,
    score_shift,
    self_consistency,
)

METRIC = "faithfulness"
"""The default metric of the trials: it needs verdicts on claims, as most metrics do."""

REPEATS = 3
_MIN_REPEATS = 2
_CHOICE_OF_SCORE: dict[float, Choice] = {1.0: "first", 0.5: "tie", 0.0: "second"}
_SCORE_OF_CHOICE = {choice: score for score, choice in _CHOICE_OF_SCORE.items()}


def judge_card(
    data: object = "demo",
    *,
    judge: str | JudgeLike | None = None,
    metric: str | Metric = METRIC,
    repeats: int = REPEATS,
    limit: int | None = None,
    **options: Any,  # noqa: ANN401  (those of `evaluate`, passed on)
) -> JudgeReport:
    """Test a judge for inconsistency and biases.

    Args:
        data: a dataset, as `evaluate` takes it; the packaged demo by default.
        judge: a judge or its spec; the embedded judge where None.
        metric: the metric to measure, or its spec.
        repeats: number of identical measurements, at least 2.
        limit: maximum number of rows. A case takes `repeats` + 3 measurements and 2 choices.
        options: further options of `evaluate`: `concurrency`, `timeout`, `cache`, `listeners` …

    Raises:
        UsageError: the arguments are invalid; no request was sent to the judge.
    """
    if repeats < _MIN_REPEATS:
        raise BadOption(f"repeats={repeats!r} cannot show whether a judge agrees with itself: give 2 or more")
    parsed = parse(metric) if isinstance(metric, str) else metric
    tested = get_judge(judge)
    cases = [case for case in islice(read_dataset(data), limit) if isinstance(case, TestCase)]
    run = partial(evaluate, metrics=[parsed], **options)
    trials = _Trials(parsed, run(cases, judge=tested, repeats=repeats))
    return JudgeReport(
        card=JudgeCard(
            judge=tested.name,
            position=trials.position(cases, partial(evaluate, judge=tested, **options)),
            verbosity=trials.shift(
                run([_doubled(case) for case in cases], judge=tested), "with repeated answers"
            ),
            consistency=trials.consistency(),
            rewording=trials.rewording(run(cases, judge=RewordedJudge(tested)))
            if trials.has_twin()
            else None,
        ),
        order=trials.shift(run([_reversed(case) for case in cases], judge=tested), "with reversed passages"),
        dataset=source_name(data),
        metric=parsed.spec,
        repeats=repeats,
        notes=tuple(trials.notes),
    )


class _Trials:
    """Compares changed measurements of one judge with its plain ones, and notes what could not be tested."""

    def __init__(self, metric: Metric, plain: Report) -> None:
        self.notes: list[str] = []
        self._metric = metric
        self._plain_scores = [_repeated_scores(results[0].metadata) for results in plain.results]
        failed = sum(not answers for answers in self._plain_scores)
        if failed:
            unmeasured = [results[0] for results in plain.results if results[0].score is None]
            why = unmeasured[0].error or unmeasured[0].reason if unmeasured else None
            self.notes.append(f"{failed} of {len(self._plain_scores)} cases have no score: {why}")

    def has_twin(self) -> bool:
        """Return whether a prompt of the metric has a reworded version; add a note if none has."""
        if any(prompt in REWORDINGS for prompt in self._metric.prompts):
            return True
        self.notes.append(
            f"not tested with reworded prompts: no prompt of {self._metric.title} has a reworded version yet"
        )
        return False

    def consistency(self) -> SelfConsistency | None:
        """Return the agreement of repeated measurements; None if no case has two."""
        several = [answers for answers in self._plain_scores if len(answers) >= _MIN_REPEATS]
        return self_consistency(several, threshold=self._metric.cutoff) if several else None

    def shift(self, changed: Report, name: str) -> ScoreShift | None:
        """Return the effect of changed answers or passages on the scores; None, with a note, if not measured."""
        pairs = self._pairs(changed)
        if not pairs:
            self.notes.append(f"not tested {name}: nothing was measured")
            return None
        before, after = [answers[0] for answers, _ in pairs], [score for _, score in pairs]
        return score_shift(before, after, threshold=self._metric.cutoff)

    def rewording(self, changed: Report) -> Rewording | None:
        """Return the effect of rewording on the scores, beyond repetition; None, with a note, if not measured."""
        pairs = [(answers, score) for answers, score in self._pairs(changed) if len(answers) >= _MIN_REPEATS]
        if not pairs:
            self.notes.append("not tested with reworded prompts: nothing was measured")
            return None
        return rewording(
            [answers[0] for answers, _ in pairs],
            [score for _, score in pairs],
            again=[answers[1] for answers, _ in pairs],
            threshold=self._metric.cutoff,
        )

    def position(self, cases: Sequence[TestCase], run: partial[Report]) -> PositionBias | None:
        """Return the judge's preference between two answers in both orders; None, with a note, if not tested."""
        pairs = [case for case in cases if _has_two_answers(case)]
        if not pairs:
            self.notes.append(
                "not tested for position bias: no case has an expected output that differs from the actual one"
            )
            return None
        try:
            plain, swapped = (
                run(pairs, PrefersFirst()),
                run([_swapped(case) for case in pairs], PrefersFirst()),
            )
        except BadOption as error:
            self.notes.append(f"not tested for position bias: {error}")
            return None
        choices: list[tuple[Choice, Choice]] = [
            (_CHOICE_OF_SCORE[first[0].score], _CHOICE_OF_SCORE[second[0].score])
            for first, second in zip(plain.results, swapped.results, strict=True)
            if first[0].score is not None and second[0].score is not None
        ]
        if not choices:
            why = next(
                (results[0].error for results in plain.results if results[0].error), "nothing was measured"
            )
            self.notes.append(f"not tested for position bias: {why}")
            return None
        return position_bias([first for first, _ in choices], [second for _, second in choices])

    def _pairs(self, changed: Report) -> list[tuple[list[float], float]]:
        return [
            (answers, results[0].score)
            for answers, results in zip(self._plain_scores, changed.results, strict=True)
            if answers and results[0].score is not None
        ]


def _repeated_scores(metadata: dict[str, Any]) -> list[float]:
    repeats = cast("list[dict[str, Any]]", metadata.get("repeats", ()))
    return [float(item["score"]) for item in repeats if item["score"] is not None]


def _doubled(case: TestCase) -> TestCase:
    """Return the case with its answer repeated: longer, and neither better nor worse."""
    answer = case.actual_output
    return _changed(case, actual_output=f"{answer}\n\n{answer}" if answer else answer)


def _reversed(case: TestCase) -> TestCase:
    passages, context = case.retrieval_context, case.context
    return _changed(case, retrieval_context=passages and passages[::-1], context=context and context[::-1])


def _swapped(case: TestCase) -> TestCase:
    return _changed(case, actual_output=case.expected_output, expected_output=case.actual_output)


def _changed(case: TestCase, **fields: Any) -> TestCase:  # noqa: ANN401  (values of any field)
    return case.model_copy(update=fields)


def _has_two_answers(case: TestCase) -> bool:
    if case.get("input") is None:
        return False
    actual, expected = case.get("actual_output"), case.get("expected_output")
    return actual is not None and expected is not None and actual.strip() != expected.strip()


class PrefersFirst(Metric):
    """Ask which of two answers is better: 1 the actual output, 0 the expected one, 0.5 neither. One judge call."""

    needs = ("input", "actual_output", "expected_output")
    prompts = (PreferAnswer,)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a choice between the two answers."""
        prompt = PreferAnswer(
            passages=case.get("retrieval_context") or (),
            input=case.text("input"),
            first=case.text("actual_output"),
            second=case.text("expected_output"),
        )
        answer = await ctx.ask(prompt)
        return Score(_SCORE_OF_CHOICE[answer.choice], answer.reason, {"choice": answer.choice})
