"""Write a dataset's bytes to a file and read it as a stream: what most of these tests do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset

Read = Callable[[str, str | bytes], list[TestCase | BadRow]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def write_and_read(name: str, content: str | bytes) -> list[TestCase | BadRow]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read_dataset(path))

    return write_and_read
