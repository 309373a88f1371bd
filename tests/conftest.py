"""What every test can rely on."""

import pytest
from hypothesis import settings
from tests.servers.fixtures import openai_server  # noqa: F401  (pytest finds fixtures by name in a conftest)
from tests.testing.project import lines, project  # noqa: F401  (likewise)

# A deadline is a timed assertion: on a busy machine it fails whatever the code does.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as ragstone does."""
    return "asyncio"
