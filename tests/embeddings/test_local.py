import asyncio
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.embeddings import get_embedder
from ragstone.embeddings.local import DIMENSIONS, LocalEmbedder, embed_texts

PINNED = [-0.017833, -0.061899, 0.074814, 0.07734]


def test_rows_have_unit_length_and_blank_texts_are_zero() -> None:
    rows = asyncio.run(LocalEmbedder().embed(["A cat sat.", "", "  \n", "Quarterly revenue rose by 4 %."]))
    assert rows.shape == (4, DIMENSIONS)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 1], abs=1e-5)


def test_no_texts_give_no_rows() -> None:
    assert embed_texts([]).shape == (0, DIMENSIONS)


def test_similar_meanings_have_similar_rows() -> None:
    cat, kitten, revenue = embed_texts(
        [
            "The cat sleeps on the sofa.",
            "A kitten naps on the couch.",
            "Quarterly revenue rose by four per cent.",
        ]
    )
    assert cat @ kitten > 0.4
    assert cat @ kitten > cat @ revenue + 0.3


def test_row_of_a_text_does_not_depend_on_the_batch() -> None:
    alone = embed_texts(["The cat sleeps."])[0]
    among = embed_texts([*(f"Filler number {i}." for i in range(600)), "The cat sleeps."])[-1]
    assert np.array_equal(alone, among)


def test_row_of_a_known_text_is_unchanged() -> None:
    """The embedded model is part of what a score means: another file would be another judge."""
    row = embed_texts(["The cat sleeps."])[0]
    assert row[:4] == pytest.approx(PINNED, abs=1e-4)


def test_long_repeated_text_is_embedded_like_a_short_one() -> None:
    page = "The archive opens on Monday at nine. "
    short, long = embed_texts([page * 4, page * 8000])
    assert short @ long == pytest.approx(1, abs=1e-3)


@given(st.lists(st.text(), max_size=4))
def test_any_text_gives_finite_rows(texts: list[str]) -> None:
    assert np.isfinite(embed_texts(texts)).all()


def test_lone_surrogate_gives_finite_rows() -> None:
    assert np.isfinite(embed_texts(["a \ud800 b"])).all()


def test_rows_agree_with_wordllama() -> None:
    script = (
        "from pathlib import Path\n"
        "import numpy as np, wordllama\n"
        "from ragstone.embeddings.local import embed_texts\n"
        "texts = ['The cat sleeps.', 'Quarterly  revenue\\nrose by four per cent.', 'naïve café 東京 🎉']\n"
        "home = Path(wordllama.__file__).parent\n"
        "model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)\n"
        "alike = (model.embed(texts, norm=True) * embed_texts(texts)).sum(axis=1)\n"
        "assert (alike > 0.9995).all(), alike\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_embedding_needs_no_network_logging_or_tokenizers() -> None:
    script = (
        "import logging, socket, sys\n"
        "def refuse(*_): raise OSError('no network here')\n"
        "socket.socket.connect = refuse\n"
        "from ragstone.embeddings.local import embed_texts\n"
        "assert embed_texts(['a cat']).any()\n"
        "assert not logging.getLogger().handlers and logging.getLogger().level == logging.WARNING\n"
        "assert not {'tokenizers', 'requests', 'aiohttp'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@for_each("options", [{}, {"spec": "local"}])
def test_local_embedder_is_the_default(options: dict[str, Any]) -> None:
    assert get_embedder(**options) == LocalEmbedder()
    assert LocalEmbedder().name == "local"
