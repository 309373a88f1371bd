"""Ask an application the questions of a run, before anything is measured.

The answers come first, so that a busy judge does not slow down the calls whose latency is recorded, and so that it is
known which fields the answers have. Each answer is stored before the next question is asked: a killed run repeats no
more calls than were in flight.
"""

import asyncio
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.datasets import BadRow
from ragstone.engine.scheduler import Flush
from ragstone.event import Answered, AnsweringStarted, EventListener, RowRejected, RunFinished
from ragstone.providers.http.transport import open_transport
from ragstone.run import Run

if TYPE_CHECKING:  # few runs have one
    from ragstone.applications import Application

MOST_FAILURES = 10  # failures without a single answer after which the application is not asked any more
APPLICATION_FAILED = "the application failed"
"""Beginning of the reason of a run that stopped since its application gave no answer."""

QUESTION = "question"
"""Key in the metadata of a test case that is one of several answers to a question: the id of the question's case."""


class AnsweredPlaces(Protocol):
    """Places of questions that are answered; see `StoredAnswers`."""

    def __contains__(self, place: object, /) -> bool:
        """Return whether the question at a place is answered."""
        ...

    def __len__(self) -> int:
        """Return how many are answered."""
        ...


def question_rows(rows: Iterable[TestCase | BadRow], repeats: int) -> Iterator[TestCase | BadRow]:
    """Yield each question as often as it is asked; the ids of repeated questions end with /1, /2, and so on."""
    for row in rows:
        if isinstance(row, BadRow) or repeats == 1:
            yield row
            continue
        metadata = {**row.metadata, QUESTION: row.id}
        for number in range(1, repeats + 1):
            yield row.model_copy(update={"id": f"{row.id}/{number}", "metadata": metadata})


async def answer_questions(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    application: "Application",
    emit: EventListener,
    *,
    total: int | None = None,
    answered: AnsweredPlaces = frozenset(),
    flush: Flush | None = None,
) -> str:
    """Ask the application every question, emit each answer, and return why it stopped; an empty text if it did not.

    A failure of the application is emitted as a test case without an answer. After ten failures without any answer it
    is not asked any more, and the run ends incomplete. `RunStarted` follows unless the run has ended.

    `total` is the number of questions, None where unknown; `answered` the places of those that have been answered
    already; `flush` waits until the listeners have stored what was emitted.
    """
    state = _State(answers=bool(answered))
    questions = _unanswered(rows, answered, emit)
    emit(AnsweringStarted(run, None if total is None else total - len(answered)))
    ended = False
    try:
        async with open_transport(timeout=run.plan.app_timeout), asyncio.TaskGroup() as group:
            for _ in range(run.plan.app_concurrency):
                group.create_task(_answer_worker(questions, application, state, emit, flush))
        ended = not state.stop_reason
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    finally:
        if not ended:
            emit(RunFinished(run, complete=False, why=state.stop_reason))
    return state.stop_reason


class _State:
    def __init__(self, *, answers: bool) -> None:
        self._answers = answers
        self._failures = 0
        self.stop_reason = ""

    def add(self, case: TestCase) -> None:
        """Count an answer, or a failure."""
        problem = case.metadata.get(APPLICATION_ERROR)
        self._answers = self._answers or problem is None
        self._failures += problem is not None
        if not self._answers and self._failures >= MOST_FAILURES:
            self.stop_reason = f"{APPLICATION_FAILED} {self._failures} times without an answer: {problem}"


def _unanswered(
    rows: Iterable[TestCase | BadRow], answered: AnsweredPlaces, emit: EventListener
) -> Iterator[tuple[int, TestCase]]:
    index = 0
    for row in rows:
        if isinstance(row, BadRow):
            emit(RowRejected(str(row)))
            continue
        if index not in answered:
            yield index, row
        index += 1


async def _answer_worker(
    questions: Iterator[tuple[int, TestCase]],
    application: "Application",
    state: _State,
    emit: EventListener,
    flush: Flush | None,
) -> None:
    for index, question in questions:
        if state.stop_reason:
            return
        case = await application.ask(question)
        state.add(case)
        emit(Answered(index, case))
        if flush is not None:
            await flush()
