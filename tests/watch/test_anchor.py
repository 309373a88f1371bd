"""The judge's own health: a labelled file judged anew, an alarm where the judge has changed, once over processes."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.watch.test_worker import plan_of

from ragstone.errors import BadOption, ProviderError, UnknownName
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.prompts import Prompt
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.watch.alarms import ALARM, OK
from ragstone.watch.anchor import JudgeHealth, check_anchor, read_anchor_set, read_health
from ragstone.watch.checks import make_checks
from ragstone.watch.delivery import read_notices
from ragstone.watch.plan import WatchPlan


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


class DriftingMetric(Metric):
    """A metric whose judge changes: it takes the first `wrong` answers for the opposite."""

    needs = ("actual_output",)
    wrong: ClassVar[int] = 0
    fails: ClassVar[bool] = False

    def assess(self, case: Any, ctx: Any) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        del ctx
        if self.fails:
            raise ProviderError("no answer", status=500)
        good = case.actual_output == "yes"
        return float(good != (int(case.input) < self.wrong))


class OtherJudge(Judge):
    """Another judge, which is asked nothing by this metric."""

    @property
    def name(self) -> str:
        return "other"

    async def ask(self, prompt: Prompt[Any]) -> Any:
        raise AssertionError(prompt)


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WatchPlan:
    monkeypatch.setattr(DriftingMetric, "wrong", 4)
    monkeypatch.setattr(DriftingMetric, "fails", False)
    rows = [
        {"input": str(number), "actual_output": "yes" if number % 2 else "no", "label": number % 2}
        for number in range(60)
    ]
    path = tmp_path / "anchor.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, {"input": "60", "actual_output": "yes"}])))
    return plan_of(
        metrics=[f"{__name__}:DriftingMetric"],
        anchor={"file": str(path), "every": "1d", "false_alarms": 0.01},
    )


def check(queue: TraceQueue, plan: WatchPlan) -> JudgeHealth:
    found = asyncio.run(check_anchor(queue, plan))
    assert found is not None
    assert found == read_health(queue, plan)
    return found


def test_a_judge_that_changes_is_an_alarm_and_told_once_a_state(queue: TraceQueue, plan: WatchPlan) -> None:
    first = check(queue, plan)
    assert (first.agreed, first.n, first.status, first.better, first.worse) == (56, 60, OK, 0, 0)
    assert first.interval.low < first.share == first.before < first.interval.high
    assert read_notices(queue, plan) == []
    DriftingMetric.wrong = 10  # six got worse: a chance of 1 in 64
    assert (check(queue, plan).worse, check(queue, plan).status) == (6, OK)
    DriftingMetric.wrong = 11
    changed = check(queue, plan)
    assert (changed.agreed, changed.worse, changed.better, changed.status) == (49, 7, 0, ALARM)
    assert changed.changes == check(queue, plan).changes == 1
    (notice,) = read_notices(queue, plan)
    assert (notice.content["alarm"], notice.content["status"]) == ("judge", ALARM)
    assert "agrees with people on 49 of 60 anchor cases" in notice.line
    DriftingMetric.wrong = 0
    recovered = check(queue, plan)
    assert (recovered.status, recovered.better, recovered.changes) == (OK, 4, 2)
    (notice,) = read_notices(queue, plan)
    assert notice.content["status"] == OK


def test_another_judge_or_file_is_another_baseline(queue: TraceQueue, plan: WatchPlan) -> None:
    check(queue, plan)
    DriftingMetric.wrong = 40
    other = plan.model_copy(update={"judge": plan.judge.model_copy(update={"all": f"{__name__}:OtherJudge"})})
    assert (check(queue, other).status, check(queue, other).worse) == (OK, 0)
    assert plan.anchor
    path = Path(plan.anchor.file)
    path.write_text(path.read_text() + "\n")
    assert (check(queue, plan).status, check(queue, plan).worse) == (OK, 0)


def test_what_cannot_be_judged_changes_nothing(queue: TraceQueue, plan: WatchPlan) -> None:
    DriftingMetric.fails = True
    assert asyncio.run(check_anchor(queue, plan)) is None
    DriftingMetric.fails = False
    before = check(queue, plan)
    DriftingMetric.fails = True
    assert asyncio.run(check_anchor(queue, plan)) is None
    assert read_health(queue, plan) == before


def test_a_check_is_made_once_in_its_time_and_again_where_it_failed(
    queue: TraceQueue, plan: WatchPlan
) -> None:
    async def together() -> list[list[str]]:
        return await asyncio.gather(*(make_checks(queue, plan) for _ in range(3)))

    assert asyncio.run(together()) == [[], [], []]
    made = read_health(queue, plan)
    assert made is not None
    assert asyncio.run(make_checks(queue, plan)) == []
    assert read_health(queue, plan) == made
    assert plan.anchor
    Path(plan.anchor.file).unlink()
    other = plan.model_copy(update={"name": "other"})
    (problem,) = asyncio.run(make_checks(queue, other))
    assert "the check of the anchor failed" in problem
    assert asyncio.run(make_checks(queue, other)) == []  # not at once


def test_what_is_no_anchor_set_is_refused(tmp_path: Path, plan: WatchPlan) -> None:
    assert read_anchor_set(plan_of()) is None
    anchor = read_anchor_set(plan)
    assert anchor is not None
    assert (len(anchor.cases), sum(anchor.labels)) == (60, 30)
    assert plan.anchor
    several = plan_of(metrics=["faithfulness", "answer_relevancy"], anchor={"file": plan.anchor.file})
    with pytest.raises(BadOption, match=r"anchor\.metric"):
        read_anchor_set(several)
    named = several.model_copy(update={"anchor": plan.anchor.model_copy(update={"metric": "bias"})})
    with pytest.raises(UnknownName, match="bias"):
        read_anchor_set(named)
    path = tmp_path / "grades.jsonl"
    path.write_text('{"input": "q", "label": 3}\n{"input": "r", "label": 5}')
    with pytest.raises(BadOption, match="yes or no"):
        read_anchor_set(plan_of(anchor={"file": str(path)}))
