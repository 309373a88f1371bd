"""Of several who resume one run at once one goes on, and a stop leaves nothing behind that still runs."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.dashboard.site import wait_until

from ragstone import TestCase
from ragstone.dashboard.services.run_manager import Busy, RunManager
from ragstone.engine.context import MetricContext
from ragstone.metrics import Metric, Score
from ragstone.store import open_store


class Slow(Metric):
    """Takes a while for each case, without a judge."""

    needs = ("input",)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        del case, ctx
        await asyncio.sleep(0.05)
        return Score(1.0, "slow")


CASES = [TestCase(input=f"question {number}") for number in range(200)]


def test_one_of_four_concurrent_resumes_succeeds_and_can_be_stopped(tmp_path: Path) -> None:
    address = tmp_path / "runs.sqlite3"
    manager = RunManager(address)
    wanted = {"metrics": [Slow()], "concurrency": 1}
    run = manager.start(CASES, **wanted)
    manager.stop(run)
    wait_until(lambda: not manager.is_running(run))

    def resume(_: int) -> str | Busy:
        try:
            return manager.start(CASES, **wanted, resume=run)
        except Busy as error:
            return error

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(resume, range(4)))
    assert answers.count(run) == 1, answers
    assert sum(isinstance(answer, Busy) for answer in answers) == 3
    assert manager.stop(run)
    store = open_store(address)
    done = store.line(store.find(run)).progress.done
    manager.close()
    assert store.line(store.find(run)).progress.done == done < len(CASES)
    store.close()


def test_resuming_a_running_run_raises_busy(tmp_path: Path) -> None:
    manager = RunManager(tmp_path / "runs.sqlite3")
    run = manager.start(CASES, metrics=[Slow()], concurrency=1)
    try:
        with pytest.raises(Busy, match=run):
            manager.start(CASES, metrics=[Slow()], resume=run)
    finally:
        manager.close()
