"""The tests of the embedded judge ask its encoder, whatever is recorded of it."""

from collections.abc import Iterator

import pytest
from tests.testing import encoded_pairs


@pytest.fixture(scope="module", autouse=True)
def pairs_are_read() -> Iterator[None]:
    """Let no pair be looked up in the table of recorded ones."""
    with encoded_pairs.asked_anew():
        yield
