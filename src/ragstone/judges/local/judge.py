"""The embedded judge: answers the prompts that word matching and small models can answer, and refuses the others."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from threading import Thread
from time import thread_time
from typing import Any, TypeVar, cast

from ragstone.judges.base import Judge, Reply
from ragstone.judges.local.workers.numpy_threads import one_numpy_thread
from ragstone.judges.local.workers.pool import WorkerPool, WorkersUnavailable, current_workers
from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)
T = TypeVar("T")
_MAX_INLINE_CHARACTERS = 20_000
"""A prompt with more characters is answered in a thread; a shorter one takes less than a tenth of a second."""


class LocalJudge(Judge):
    """The judge inside the package: no key, no network, deterministic.

    It decides whether evidence supports a claim, whether a text is relevant to a question, and which
    statements a text consists of. It does not rate by free criteria (G-Eval), write questions or prose: for
    those it raises `CannotJudge`. The accuracy of its verdicts is documented in `docs/explanation/embedded-judge.md`.
    """

    works_offline = True
    reads_examples = False

    @property
    def name(self) -> str:
        """Return `local`."""
        return "local"

    def can_answer(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether the embedded model answers prompts of a kind; the others need a language model."""
        from ragstone.judges.local.answers import answer_prompt  # noqa: PLC0415  (loads the analysis of texts)

        return prompt in answer_prompt.registry

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer of the embedded model; see `Judge.ask`."""
        pool = current_workers()
        answer: Answer | None = None
        if pool is not None and pool.accepts(prompt):
            with suppress(WorkersUnavailable):
                answer = await pool.answer(prompt)
        return Reply(cast("A", answer or await _answer_in_process(prompt, pool)), Usage(calls=1), cost=0.0)


async def _answer_in_process(prompt: Prompt[Any], pool: WorkerPool | None) -> Answer:
    from ragstone.judges.local.answers import answer_prompt  # noqa: PLC0415  (loads the analysis of texts)

    work = partial(_timed, partial(answer_prompt, prompt))
    answer, seconds = await _in_thread(work) if _count_characters(prompt) > _MAX_INLINE_CHARACTERS else work()
    if pool is not None:
        pool.add_work(seconds)
    return answer


def _timed(work: Callable[[], Answer]) -> tuple[Answer, float]:
    start = thread_time()
    with one_numpy_thread():
        return work(), thread_time() - start


async def _in_thread(work: Callable[[], T]) -> T:
    """Run long work in a daemon thread, so that a time-out and Ctrl-C do not wait for it."""
    loop, future = asyncio.get_running_loop(), Future[T]()
    future.set_running_or_notify_cancel()  # so that a cancelled caller does not cancel it

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  (passed on to the caller)
            future.set_exception(error)

    Thread(target=run, name="ragstone-local-judge", daemon=True).start()
    return await asyncio.wrap_future(future, loop=loop)


def _count_characters(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple | list):
        return sum(map(_count_characters, cast("Sequence[object]", value)))
    own = fields(value) if is_dataclass(value) else ()
    return sum(_count_characters(getattr(value, item.name)) for item in own)
