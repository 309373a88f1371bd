"""Reads the text of one PDF file in a process of its own, with bounded memory and time: `pdf_process.py FILE`.

A damaged or hostile file can make pypdf fail in any way, loop, or unpack gigabytes. The process prints one JSON object:
`title` and `pages`, or `error`. It imports nothing of ragstone, so that it starts quickly.
"""

import contextlib
import json
import logging
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

BASE_MEMORY, MEMORY_PER_BYTE = 400 << 20, 12
"""Bytes of address space: at least, and for each byte of the file."""

BASE_SECONDS, SECONDS_PER_BYTE = 10, 10 / (1 << 20)
"""Processor time: at least, and for each byte of the file."""

MAX_CHARS = 10_000_000
"""Characters of all pages; a longer text is an error."""


def limit_resources(size: int) -> None:
    """Bound memory and processor time of this process for a file of `size` bytes; not on Windows."""
    try:
        resource: Any = import_module("resource")
    except ImportError:
        return
    seconds = int(BASE_SECONDS + SECONDS_PER_BYTE * size)
    for name, bound in (("RLIMIT_AS", BASE_MEMORY + MEMORY_PER_BYTE * size), ("RLIMIT_CPU", seconds)):
        with contextlib.suppress(ValueError, OSError):  # a lower limit is set already
            resource.setrlimit(getattr(resource, name), (bound, bound))


def read(path: str) -> dict[str, Any]:
    """Return the title and the text of each page."""
    pypdf: Any = import_module("pypdf")
    reader = pypdf.PdfReader(path)
    title = str((reader.metadata.title if reader.metadata else None) or "").strip()
    pages, length = list[str](), 0
    for page in reader.pages:
        pages.append(str(page.extract_text()))
        length += len(pages[-1])
        if length > MAX_CHARS:
            return {"error": f"its text has more than {MAX_CHARS:,} characters"}
    return {"title": title, "pages": pages}


def main(path: str) -> None:
    """Print the text of the file, or why it cannot be read."""
    logging.disable()
    warnings.simplefilter("ignore")
    limit_resources(Path(path).stat().st_size)
    try:
        result = read(path)
    except MemoryError:
        result = {"error": "it needs too much memory"}
    except Exception as error:  # noqa: BLE001  (any: the file is damaged)
        result = {"error": f"{type(error).__name__}: {error}"[:300]}
    sys.stdout.write(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
