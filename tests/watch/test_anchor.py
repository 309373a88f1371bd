"""The judge's own health: a labelled file judged anew, an alarm where the judge has changed, once over processes."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError
from tests.cli.command import invoke
from tests.watch.test_worker import plan_of

from ragstone.errors import BadOption, ProviderError, UnknownName
from ragstone.judges import Judge
from ragstone.metrics import Metric, Score
from ragstone.prompts import Prompt
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.watch.alarms import ALARM, OK
from ragstone.watch.anchor import check_anchor, checked_judges, read_anchor_set, read_judge_checks
from ragstone.watch.checks import make_checks
from ragstone.watch.delivery import read_notices
from ragstone.watch.judge_check import AnchorResults, JudgeHealth, judge_check
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
    unsure: ClassVar[int] = 0

    def assess(self, case: Any, ctx: Any) -> float | Score:  # pyright: ignore[reportIncompatibleMethodOverride]
        del ctx
        if int(case.input) < self.unsure:
            return Score(0.4, "cannot tell all", low=0.2, high=0.8)
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
    monkeypatch.setattr(DriftingMetric, "unsure", 0)
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
    assert found.health is not None
    assert [found] == read_judge_checks(queue, plan)
    assert found.unchecked is None
    return found.health


def test_changed_judge_raises_one_notice_per_state(queue: TraceQueue, plan: WatchPlan) -> None:
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


def test_undecided_cases_are_no_disagreement(queue: TraceQueue, plan: WatchPlan) -> None:
    assert (check(queue, plan).agreed, check(queue, plan).n) == (56, 60)
    DriftingMetric.unsure = 10
    now = check(queue, plan)
    assert (now.agreed, now.n, now.failed, now.worse, now.status) == (50, 50, 10, 0, OK)


def test_another_judge_or_anchor_file_starts_a_new_baseline(queue: TraceQueue, plan: WatchPlan) -> None:
    check(queue, plan)
    DriftingMetric.wrong = 40
    other = plan.model_copy(update={"judge": plan.judge.model_copy(update={"all": f"{__name__}:OtherJudge"})})
    assert (check(queue, other).status, check(queue, other).worse) == (OK, 0)
    assert plan.anchor
    path = Path(plan.anchor.file)
    path.write_text(path.read_text() + "\n")
    assert (check(queue, plan).status, check(queue, plan).worse) == (OK, 0)


def test_changing_the_judge_ends_its_alarm_and_counts_changes(queue: TraceQueue, plan: WatchPlan) -> None:
    """The version of a message is counted on, so that a second alarm is not a repetition of the first."""
    check(queue, plan)
    DriftingMetric.wrong = 30
    assert (check(queue, plan).status, check(queue, plan).changes) == (ALARM, 1)
    other = plan.model_copy(update={"judge": plan.judge.model_copy(update={"all": f"{__name__}:OtherJudge"})})
    assert (check(queue, other).status, check(queue, other).changes) == (OK, 2)
    DriftingMetric.wrong = 50
    assert (check(queue, other).status, check(queue, other).changes) == (ALARM, 3)


def test_failing_anchor_check_is_reported_as_unchecked(queue: TraceQueue, plan: WatchPlan) -> None:
    DriftingMetric.fails = True
    first = asyncio.run(check_anchor(queue, plan))
    assert first
    assert (first.health, first.is_alarm, first.lapses) == (None, True, 1)
    assert first.unchecked
    assert first.unchecked.line.endswith("could not be checked: none of the 60 anchor cases could be judged")
    assert "no answer" in first.unchecked.error
    (notice,) = read_notices(queue, plan)
    assert (notice.content["alarm"], notice.content["status"]) == ("judge_unchecked", ALARM)
    assert "no answer" not in str(notice.content)
    again = asyncio.run(check_anchor(queue, plan))
    assert again
    assert again.unchecked
    assert (again.lapses, again.unchecked.since) == (1, first.unchecked.since)
    assert read_notices(queue, plan) == [notice]
    DriftingMetric.fails = False
    before = check(queue, plan)
    assert (before.agreed, before.status) == (56, OK)
    (notice,) = read_notices(queue, plan)
    assert (notice.content["alarm"], notice.content["status"]) == ("judge_unchecked", OK)
    assert notice.line.endswith("can be checked again")
    DriftingMetric.fails = True
    later = asyncio.run(check_anchor(queue, plan))
    assert later
    assert (later.health, later.lapses, later.is_alarm) == (before, 3, True)


def test_check_without_shared_cases_is_unchecked() -> None:
    first = AnchorResults("key", "judge", "metric", (True, False, None, None), "")
    known = first.after({}, 0.01, 1.0)
    found = judge_check(
        "all", AnchorResults("key", "judge", "metric", (None, None, True, True), "").after(known, 0.01, 2.0)
    )
    assert found.unchecked
    assert found.unchecked.line == (
        "the judge judge could not be checked: "
        "none of the 2 anchor cases that could be judged now could be judged at the baseline"
    )
    assert found.health
    assert (found.health.n, found.health.at) == (2, 1.0)


def test_sample_judge_is_checked_separately(queue: TraceQueue, plan: WatchPlan) -> None:
    both = plan.model_copy(
        update={"judge": plan.judge.model_copy(update={"sample": f"{__name__}:OtherJudge"})}
    )
    assert asyncio.run(make_checks(queue, both)) == []
    found = read_judge_checks(queue, both)
    assert [(one.judged_by, one.judge, one.is_alarm) for one in found] == [
        ("all", "local", False),
        ("sample", "other", False),
    ]
    DriftingMetric.wrong = 40
    asyncio.run(check_anchor(queue, both, "sample"))
    assert [one.is_alarm for one in read_judge_checks(queue, both)] == [False, True]
    (notice,) = read_notices(queue, both)
    assert (notice.content["judge"], notice.content["judged_by"]) == ("other", "sample")
    assert both.anchor
    dear = {"file": both.anchor.file, "judges": ["sample"]}
    assert checked_judges(plan_of(judge={"sample": "other"}, anchor=dear)) == ("sample",)
    assert checked_judges(plan_of(judge={"sample": "local"}, anchor={"file": "a"})) == ("all",)
    with pytest.raises(ValidationError, match="there is no judge of the sample"):
        plan_of(anchor=dear)


def test_watch_once_exits_1_when_the_judge_is_unchecked(tmp_path: Path, plan: WatchPlan) -> None:
    assert plan.anchor
    file = tmp_path / "watch.toml"
    file.write_text(
        f"metrics = [{plan.metrics[0]!r}]\n[anchor]\nfile = {plan.anchor.file!r}\nevery = '60s'\n"
    )
    for fails, code, told in (
        (True, 1, "ALARM: the judge local could not be checked: none of the 60"),
        (False, 0, "ok: the judge local shows no change"),
    ):
        DriftingMetric.fails = fails
        found = invoke("watch", file, "--store", tmp_path / f"{code}.sqlite3", "--once", "--trust")
        assert (found.exit_code, told in found.stdout) == (code, True), found.stdout


def test_make_checks_runs_once_per_interval(queue: TraceQueue, plan: WatchPlan) -> None:
    async def together() -> list[list[str]]:
        return await asyncio.gather(*(make_checks(queue, plan) for _ in range(3)))

    assert asyncio.run(together()) == [[], [], []]
    made = read_judge_checks(queue, plan)
    assert len(made) == 1
    assert asyncio.run(make_checks(queue, plan)) == []
    assert read_judge_checks(queue, plan) == made
    assert plan.anchor
    Path(plan.anchor.file).unlink()
    other = plan.model_copy(update={"name": "other"})
    (problem,) = asyncio.run(make_checks(queue, other))
    assert "the check of the anchor failed" in problem
    assert asyncio.run(make_checks(queue, other)) == []  # not at once


def test_invalid_anchor_sets_are_rejected(tmp_path: Path, plan: WatchPlan) -> None:
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
