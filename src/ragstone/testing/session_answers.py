"""The answers of applications in a test session: each question is asked once, those of later tests at the same time."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from inspect import isfunction
from typing import Any

from anyio.from_thread import BlockingPortal

from ragstone.applications import Application
from ragstone.applications.call import ApplicationObject
from ragstone.case import TestCase
from ragstone.options import APP_CONCURRENCY
from ragstone.providers.http.transport import open_transport

ApplicationLike = str | Callable[..., Any] | ApplicationObject
"""What can be asked; see `Application`."""


class SessionAnswers:
    """Asks applications on the event loop of a session."""

    def __init__(self, portal: Callable[[], BlockingPortal]) -> None:
        """Ask on the event loop behind `portal`, which is opened with the first question."""
        self._portal = portal
        self._applications: dict[int, tuple[ApplicationLike, Application]] = {}
        self._answers: dict[tuple[int, TestCase], Future[TestCase]] = {}
        self._questions: dict[TestCase, tuple[ApplicationLike, TestCase]] = {}

    def ask(
        self, application: ApplicationLike, case: TestCase, upcoming: Callable[[], Sequence[TestCase]]
    ) -> TestCase:
        """Return the test case with the answer; see `SessionEvaluator.ask`."""
        key = id(application)
        if (key, case) not in self._answers:
            others = upcoming() if _is_same_for_all_tests(application) else ()
            cases = [item for item in (case, *others) if (key, item) not in self._answers]
            futures = {item: Future[TestCase]() for item in cases}
            self._answers |= {(key, item): future for item, future in futures.items()}
            self._portal().start_task_soon(partial(_ask_all, self._found(application), futures))
        answered = self._answers[key, case].result()
        self._questions[answered] = application, case
        return answered

    def of_upcoming(
        self, answered: TestCase, upcoming: Callable[[TestCase], Sequence[TestCase]]
    ) -> list[TestCase] | None:
        """Return the answered cases of later tests; None for a test case that no application has answered here."""
        if answered not in self._questions:
            return None
        application, question = self._questions[answered]
        if not _is_same_for_all_tests(application):
            return []
        return [self.ask(application, other, lambda: ()) for other in upcoming(question)]

    def _found(self, application: ApplicationLike) -> Application:
        """Return the application, which is kept, so that its id names no other one."""
        key = id(application)
        if key not in self._applications:
            self._applications[key] = application, Application(application)
        return self._applications[key][1]


def _is_same_for_all_tests(application: ApplicationLike) -> bool:
    """Return whether later tests ask the same application: it is no object that a fixture makes for each test."""
    return isinstance(application, str) or (
        isfunction(application) and "<locals>" not in application.__qualname__
    )


async def _ask_all(application: Application, futures: dict[TestCase, Future[TestCase]]) -> None:
    """Ask several questions at the same time, and set each future."""
    free = asyncio.Semaphore(APP_CONCURRENCY)

    async def ask(case: TestCase, future: Future[TestCase]) -> None:
        try:
            async with free:
                future.set_result(await application.ask(case))
        except BaseException as error:
            future.set_exception(error)
            raise

    async with open_transport():
        await asyncio.gather(*(ask(case, future) for case, future in futures.items()), return_exceptions=True)
