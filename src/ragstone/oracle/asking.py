"""Ask the application about failures: each question once as it is, and once with the oracle's passages."""

from collections import Counter
from collections.abc import Sequence

import anyio

from ragstone.applications import Application
from ragstone.errors import ApplicationError
from ragstone.oracle.oracle_material import AnsweredFailure, MeasurableFailure

_MAX_ERRORS_BEFORE_ANSWER = 5
_MAX_MESSAGE_LENGTH = 200


async def ask_all(
    application: Application, failures: Sequence[MeasurableFailure], at_once: int, problems: Counter[str]
) -> list[AnsweredFailure]:
    """Return the application's answers in the order of the failures; failures without both answers are left out.

    After five errors without a single answer, the application is not called again.

    Args:
        application: the application to ask.
        failures: the failures to ask about.
        at_once: number of calls in flight at the same time.
        problems: counts of error messages, updated in place.
    """
    answers: dict[int, AnsweredFailure] = {}
    limiter = anyio.CapacityLimiter(at_once)

    async def ask(failure: MeasurableFailure) -> None:
        async with limiter:
            if not answers and problems.total() >= _MAX_ERRORS_BEFORE_ANSWER:
                return
            try:
                real = await application.answer(failure.case.input)
                served = await application.answer(failure.case.input, failure.oracle.passages)
            except ApplicationError as error:
                problems[shortened(f"application: {error}")] += 1
            else:
                answers[failure.place] = AnsweredFailure(failure, real, served)

    async with anyio.create_task_group() as tasks:
        for failure in failures:
            tasks.start_soon(ask, failure)
    return [answers[failure.place] for failure in failures if failure.place in answers]


def shortened(text: str) -> str:
    """Return a message on one line of at most 200 characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_MESSAGE_LENGTH else f"{flat[: _MAX_MESSAGE_LENGTH - 1]}…"
