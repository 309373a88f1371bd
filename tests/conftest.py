"""What every test can rely on."""

import pytest
from tests.servers.fixtures import openai_server  # noqa: F401  (pytest finds fixtures by name in a conftest)
from tests.testing.project import lines, project  # noqa: F401  (likewise)


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as ragstone does."""
    return "asyncio"
