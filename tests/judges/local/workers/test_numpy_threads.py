"""The threads of numpy's matrix products: one while the judge works, then as many as before."""

import asyncio
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from ragstone.judges import LocalJudge
from ragstone.judges.local import answers
from ragstone.judges.local.workers import numpy_threads as module
from ragstone.judges.local.workers.numpy_threads import ThreadCount, one_numpy_thread, thread_count
from ragstone.prompts import Claims, ExtractClaims


@pytest.fixture
def count() -> Iterator[ThreadCount]:
    found = thread_count()
    if found is None:
        pytest.skip("numpy's products are not computed by OpenBLAS here")
    before = found.get()
    found.set(2)
    yield found
    found.set(before)


def test_a_prompt_is_answered_with_one_thread(count: ThreadCount, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def answer(_: object) -> Claims:
        seen.append(count.get())
        return Claims(claims=())

    monkeypatch.setattr(answers, "answer_prompt", answer)
    asyncio.run(LocalJudge().ask(ExtractClaims(text="It rains.")))
    assert (seen, count.get()) == ([1], 2)


def test_thread_count_is_restored_by_the_last_user(count: ThreadCount) -> None:
    entered, release = Event(), Event()

    def work() -> None:
        with one_numpy_thread():
            entered.set()
            release.wait(30)

    with one_numpy_thread():
        thread = Thread(target=work)
        thread.start()
        assert entered.wait(30)
    assert count.get() == 1
    release.set()
    thread.join()
    assert count.get() == 2


def test_thread_count_is_restored_after_an_error(count: ThreadCount) -> None:
    with pytest.raises(ZeroDivisionError), one_numpy_thread():
        raise ZeroDivisionError
    assert count.get() == 2


def test_thread_count_is_unchanged_with_another_library(
    count: ThreadCount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "thread_count", lambda: None)
    with one_numpy_thread():
        assert count.get() == 2


def test_thread_count_is_none_without_the_library_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FUNCTIONS", ("unknown_{}_threads",))
    assert thread_count.__wrapped__() is None
