import subprocess
import sys

import pytest
from tests.testing.for_each import for_each

from ragstone import providers


@for_each("name", providers.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(providers, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="OpenAl"):
        _ = providers.OpenAl
    assert dir(providers) == sorted(providers.__all__)


def test_importing_providers_does_not_load_aiohttp_or_numpy() -> None:
    script = (
        "import sys\n"
        "from ragstone.providers import Anthropic, Ollama, OpenAI, Completion, Request, get_provider\n"
        "from ragstone.embeddings import get_embedder\n"
        "get_provider('ollama'), get_embedder('ollama'), get_embedder()\n"
        "assert not {'aiohttp', 'numpy', 'litellm', 'requests'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
