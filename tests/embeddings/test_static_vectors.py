import importlib.util

import pytest

from ragstone.embeddings import static_vectors
from ragstone.errors import UsageError


def test_the_table_is_mapped_and_loaded_once() -> None:
    model = static_vectors.load_static()
    assert model.table.shape == (32_000, 256)
    assert model.tokenizer.get_vocab_size() == 32_000
    assert not model.table.flags.writeable
    assert static_vectors.load_static() is model


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_vectors, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="wordllama"):
        static_vectors.load_static.__wrapped__()
    assert importlib.util.find_spec("wordllama")
