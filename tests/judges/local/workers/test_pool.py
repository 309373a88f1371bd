"""The workers of a run: real processes, which are killed, cancelled and refused."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.errors import CannotJudge, WorkerLost
from ragstone.judges import LocalJudge
from ragstone.judges.local.answers import answer_prompt
from ragstone.judges.local.workers import pool as module
from ragstone.judges.local.workers.frames import HEADER_SIZE, unpack
from ragstone.judges.local.workers.pool import WorkerPool, current_workers, open_workers, usable_cores
from ragstone.judges.local.workers.process import PendingAnswer, WorkerProcess
from ragstone.prompts import Decisions, ExtractClaims, JudgeClaims, JudgeInstructions

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")

PASSAGE = "The bridge is 330 metres long. It was opened in 1931 and rebuilt in 1950."
LONG = PASSAGE * 300


def prompt(number: int, passage: str = PASSAGE) -> JudgeClaims:
    return JudgeClaims(claims=(f"The bridge is {number} metres long.",), evidence_texts=(passage,))


def verdict(number: int) -> str:
    answer = answer_prompt(prompt(number, LONG))
    assert isinstance(answer, Decisions)
    return answer.verdicts[0].verdict


def pids(workers: WorkerPool) -> list[int]:
    return [worker._process.pid for worker in workers._workers]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@asynccontextmanager
async def started(size: int = 1) -> AsyncGenerator[WorkerPool]:
    async with open_workers(size + 1, at_most=16):
        workers = current_workers()
        assert workers is not None
        workers._size = size
        workers.add_work(module.START_AFTER_SECONDS)
        while len(workers._workers) < size:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        yield workers


def asked(prompts: Sequence[Any], size: int = 1) -> list[Any]:
    async def main() -> list[Any]:
        async with started(size):
            replies = await asyncio.gather(
                *(LocalJudge().ask(one) for one in prompts), return_exceptions=True
            )
        return [reply if isinstance(reply, BaseException) else reply.answer for reply in replies]

    return asyncio.run(main())


def test_workers_give_the_answers_and_errors_of_the_run_s_own_process() -> None:
    refused = JudgeInstructions(instructions=("Be kind.",), input="q", actual_output="a")
    with pytest.raises(CannotJudge) as expected:
        answer_prompt(refused)
    prompts = [prompt(number) for number in range(328, 333)] + [ExtractClaims(text=PASSAGE)]
    *answers, error = asked([*prompts, refused], size=2)
    assert answers == [answer_prompt(one) for one in prompts]
    assert isinstance(error, CannotJudge)
    assert str(error) == str(expected.value)


def test_prompt_of_a_killed_worker_is_answered_by_another() -> None:
    async def main() -> tuple[list[Any], list[int]]:
        async with started() as workers:
            (first,) = pids(workers)
            tasks = [asyncio.create_task(LocalJudge().ask(prompt(n, LONG))) for n in (330, 331, 332)]
            await asyncio.sleep(0)
            os.kill(first, signal.SIGKILL)
            replies = await asyncio.gather(*tasks)
            found = [first, *pids(workers)]
        return [reply.answer.verdicts[0].verdict for reply in replies], found

    verdicts, found = asyncio.run(main())
    assert verdicts == [verdict(n) for n in (330, 331, 332)]
    assert len(set(found)) == 2
    assert not any(map(alive, found))


def test_prompt_that_loses_three_workers_raises_worker_lost() -> None:
    async def main() -> Any:
        async with started() as workers:
            task = asyncio.create_task(LocalJudge().ask(prompt(330, LONG * 20)))
            while not task.done():
                for worker in list(workers._workers):
                    if worker.in_flight:
                        worker.kill()
                await asyncio.sleep(0.01)
            with pytest.raises(
                WorkerLost, match=r"3 processes ended while they answered JudgeClaims .*SIGKILL"
            ):
                task.result()
            return (await LocalJudge().ask(prompt(330))).answer

    assert asyncio.run(main()) == answer_prompt(prompt(330))


def test_a_cancelled_prompt_frees_its_worker() -> None:
    async def main() -> Any:
        async with started() as workers:
            (first,) = pids(workers)
            endless = asyncio.create_task(LocalJudge().ask(prompt(330, LONG * 200)))
            waiting = asyncio.create_task(LocalJudge().ask(prompt(330)))
            await asyncio.sleep(0.1)
            endless.cancel()
            answer = (await waiting).answer
            assert pids(workers) != [first]
            return answer

    assert asyncio.run(main()) == answer_prompt(prompt(330))


def test_a_pool_that_closes_waits_for_a_worker_that_is_being_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closing = asyncio.Event()
    close = WorkerProcess.close

    async def slow_close(worker: WorkerProcess) -> str:
        if not closing.is_set():
            closing.set()
            await asyncio.sleep(3600)  # until the pool's cancellation
        return await close(worker)

    async def main() -> int | None:
        async with started() as workers:
            (worker,) = workers._workers
            monkeypatch.setattr(WorkerProcess, "close", slow_close)
            assert worker._process.stdout is not None
            worker._process.stdout.feed_eof()  # as if it had closed its pipe without ending
            await closing.wait()
        return worker._process.returncode

    assert asyncio.run(main()) == -signal.SIGKILL


def test_without_startable_workers_the_process_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setattr(module, "START_AFTER_SECONDS", 0.0)

    async def main() -> list[Any]:
        async with open_workers(2, at_most=16):
            workers = current_workers()
            assert workers is not None
            first = await LocalJudge().ask(prompt(330))
            await asyncio.wait(workers._tasks)
            return [first, await LocalJudge().ask(prompt(331))]

    assert [reply.answer for reply in asyncio.run(main())] == [answer_prompt(prompt(n)) for n in (330, 331)]


def test_waiting_prompt_is_answered_after_the_last_worker_dies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> Any:
        async with started() as workers:
            monkeypatch.setattr(sys, "executable", "/bin/false")
            task = asyncio.create_task(LocalJudge().ask(prompt(330, LONG)))
            await asyncio.sleep(0)
            os.kill(pids(workers)[0], signal.SIGKILL)
            return (await task).answer.verdicts[0].verdict

    assert asyncio.run(main()) == verdict(330)


@dataclass(frozen=True, kw_only=True)
class OwnPrompt(ExtractClaims):
    """A prompt of a user's own, which no other process could import."""


def test_a_prompt_of_a_user_s_own_is_answered_by_the_run() -> None:
    async def main() -> list[bool]:
        async with started() as workers:
            return [workers.accepts(OwnPrompt(text=PASSAGE)), workers.accepts(prompt(330))]

    assert asyncio.run(main()) == [False, True]


class SilentProcess(WorkerProcess):
    """A process that takes prompts and never answers."""

    def __init__(self) -> None:
        nobody: Any = None
        super().__init__(nobody)

    def send(self, pending: PendingAnswer) -> None:
        self.in_flight.append(pending)

    def taken(self) -> list[str]:
        """Return what the prompts in flight are about, and let it be answered."""
        found = [str(unpack(pending.frame[HEADER_SIZE:]).evidence_texts[0]) for pending in self.in_flight]
        self.in_flight.clear()
        return found


def waits(workers: WorkerPool, *passages: str) -> None:
    workers._waiting.extend(PendingAnswer.of(prompt(1, passage)) for passage in passages)
    workers._dispatch()


def test_prompts_on_the_same_passages_go_to_one_process() -> None:
    async def main() -> None:
        workers = WorkerPool(2)
        one, other = SilentProcess(), SilentProcess()
        workers._workers = [one, other]
        waits(workers, "cats", "dogs", "cats", "cats", "mice", "dogs")
        assert (one.taken(), other.taken()) == (["cats", "cats"], ["dogs", "dogs"])
        waits(workers)
        assert (one.taken(), other.taken()) == (["cats"], ["mice"])
        waits(workers, "mice", "mice", "cats")
        assert (one.taken(), other.taken()) == (["cats"], ["mice", "mice"])

    asyncio.run(main())


def test_only_an_idle_worker_takes_prompts_of_another() -> None:
    async def main() -> None:
        workers = WorkerPool(2)
        one, other = SilentProcess(), SilentProcess()
        workers._workers = [one, other]
        waits(workers, "cats", "dogs", *["cats"] * 4)
        assert len(workers._waiting) == 3
        assert (len(one.in_flight), other.taken()) == (2, ["dogs"])
        waits(workers)
        assert (other.taken(), len(workers._waiting)) == (["cats"], 2)
        workers._remove(one)
        waits(workers)
        assert other.taken() == ["cats", "cats"]

    asyncio.run(main())


def test_claims_judged_by_facts_share_the_worker_of_their_passages() -> None:
    async def main() -> list[int]:
        facts = JudgeClaims(claims=("It is long.",), evidence_texts=("A fact.",), source=(PASSAGE,))
        return [PendingAnswer.of(one).evidence_hash for one in (facts, prompt(330))]

    assert len(set(asyncio.run(main()))) == 1


def test_a_run_gives_the_same_results_with_and_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "START_AFTER_SECONDS", 0.0)
    cases = [
        TestCase(
            input="How long is it?", actual_output=f"It is {n} metres long.", retrieval_context=[PASSAGE]
        )
        for n in range(322, 334)
    ]
    by_workers, alone = (
        [
            [result.model_copy(update={"latency_ms": 0.0}) for result in case.results]
            for case in evaluate(cases, ["faithfulness", "answer_relevancy"], workers=count)
        ]
        for count in (2, 1)
    )
    assert by_workers == alone


@for_each("count, at_most", [(1, 16), (8, 1)])
def test_no_pool_is_opened_for_one_worker_or_one_call(count: int, at_most: int) -> None:
    async def main() -> WorkerPool | None:
        async with open_workers(count, at_most=at_most):
            return current_workers()

    assert asyncio.run(main()) is None


def test_usable_cores_is_at_least_one() -> None:
    assert usable_cores() >= 1


_INTERRUPTED = """
import signal
from ragstone import TestCase, evaluate
from ragstone.judges.local.workers import pool

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
pool.START_AFTER_SECONDS = 0.0

def tell(event):
    workers = pool.current_workers()
    if workers and len(workers._workers) == 2:
        print(*(worker._process.pid for worker in workers._workers), flush=True)

cases = [TestCase(input="How long?", actual_output=f"It is {n} metres long.") for n in range(3_000)]
evaluate(cases, "answer_relevancy", workers=2, listeners=(tell,))
"""


def test_ctrl_c_ends_the_run_and_its_workers() -> None:
    command = [sys.executable, "-c", _INTERRUPTED]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0, text=True
    ) as process:
        assert process.stdout is not None
        found = [int(pid) for pid in process.stdout.readline().split()]
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert len(found) == 2
    assert not any(map(alive, found))
    assert "RunInterrupted" in said
    assert said.count("Traceback") == 1
