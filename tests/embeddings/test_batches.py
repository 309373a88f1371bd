import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from tests.testing.for_each import for_each

from ragstone.embeddings._batches import BATCH, embed_in_batches
from ragstone.errors import ProviderError, TimedOut


class Server:
    """Gives each text the vector (its number, 1), and counts."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.in_flight = self.peak = 0

    async def fetch(self, texts: Sequence[str]) -> list[list[float]]:
        self.batches.append(len(texts))
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        await asyncio.sleep(0.001)
        self.in_flight -= 1
        return [[float(text), 1.0] for text in texts]


def test_rows_stand_in_the_order_of_the_texts() -> None:
    server = Server()
    texts = [str(number) for number in range(10 * BATCH + 5)]
    rows = asyncio.run(embed_in_batches(texts, server.fetch, "x"))
    assert rows.shape == (len(texts), 2)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert rows[:, 0] / rows[:, 1] == pytest.approx(np.arange(len(texts)), rel=1e-3)
    assert sorted(server.batches) == [5, *[BATCH] * 10]
    assert server.peak == 4


def test_blank_texts_are_not_sent() -> None:
    server = Server()
    rows = asyncio.run(embed_in_batches(["", "3", " \n"], server.fetch, "x"))
    assert server.batches == [1]
    assert rows[[0, 2]].tolist() == [[0, 0], [0, 0]]


@for_each("texts", [[], ["", " "]])
def test_empty_or_blank_texts_send_no_request(texts: list[str]) -> None:
    server = Server()
    assert asyncio.run(embed_in_batches(texts, server.fetch, "x")).shape == (len(texts), 0)
    assert not server.batches


@for_each("rows", [[], [[1.0]] * 3, [[1.0], [1.0, 2.0]]])
def test_wrong_number_or_length_of_rows_is_refused(rows: list[list[float]]) -> None:
    async def fetch(_: Sequence[str]) -> list[list[float]]:
        return rows

    with pytest.raises(ProviderError, match="one vector per text"):
        asyncio.run(embed_in_batches(["a", "b"], fetch, "openai:x"))


def test_error_of_a_batch_is_raised_unchanged() -> None:
    async def fetch(_: Sequence[str]) -> list[list[float]]:
        raise TimedOut("late")

    with pytest.raises(TimedOut, match="late"):
        asyncio.run(embed_in_batches(["a"] * 3 * BATCH, fetch, "x"))
