"""A judge's card as one JSON document, for other programs."""

import json
from dataclasses import asdict
from typing import IO

from ragstone.reports.judge_card.model import JudgeReport

SCHEMA = 1
"""Version of the document's schema: it grows with every incompatible change."""


def render(found: JudgeReport) -> str:
    """Return the card."""
    return f"{json.dumps({'schema': SCHEMA, **asdict(found)}, ensure_ascii=True, indent=1)}\n"


def write(found: JudgeReport, file: IO[bytes]) -> None:
    """Write the card."""
    file.write(render(found).encode())
