"""Tests with a real language model: skipped, with the reason, where its two wheels are not installed or do not run."""

from collections.abc import Iterator

import pytest
from benchmarks.llama import LlamaServer, missing, unsupported


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = missing()
    for item in items:
        if "real_model" in item.nodeid.split("/"):
            item.add_marker(pytest.mark.real_model)
            if reason is not None:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session", autouse=True)
def _skip_where_unsupported() -> None:
    if reason := unsupported():
        pytest.skip(f"{reason}: NO LANGUAGE MODEL IS ASKED")


@pytest.fixture(scope="session")
def llama() -> Iterator[LlamaServer]:
    with LlamaServer() as server:
        yield server
