"""A small folder of documents, and an index over texts."""

from pathlib import Path

from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.passage import DraftPassage

LAMPS = """# Lamps

The price of Zenith 3 is 490 euros. Zenith 3 was launched in 2014.

## Add a lamp

Run `lamps add NAME`.

| option | means | default |
|---|---|---|
| `--watt` | the power in watts | `40` |
| `--name` | what the lamp is called | |
"""

SHOP = """# Shop

The weight of Zenith 3 is 12 kg. The price of Aurora is 120 euros.

## What is a voucher?

A voucher is a number that takes ten euros off one order.
"""


def folder_of(path: Path, **files: str) -> Path:
    """Write `name="text"` as `name.md`, `name_html` as HTML."""
    for name, text in (files or {"lamps": LAMPS, "shop": SHOP}).items():
        (path / f"{name}.md").write_text(text, encoding="utf-8")
    return path


def index_of(*texts: str) -> CorpusIndex:
    """An index over passages `p0`, `p1` …, each a document of its own."""
    passages = (DraftPassage(f"p{place}", f"d{place}.md", text) for place, text in enumerate(texts))
    return CorpusIndex(tuple(passages), 0)
