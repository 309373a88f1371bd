"""What every test can rely on."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as ragstone does."""
    return "asyncio"
