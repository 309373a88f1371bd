"""Each ambiguity that `docs/explanation/wordings.md` calls settled is settled in the prompt's snapshot."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.testing.for_each import for_each

SNAPSHOTS = Path(__file__).parent / "prompts"
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "wordings.md"
ROW = re.compile(r'^\| ([A-Za-z, ]+) \| (.+) \| "(.+)" \|$', re.MULTILINE)


def wordings() -> Iterator[tuple[str, str]]:
    for names, _, words in ROW.findall(PAGE.read_text(encoding="utf-8")):
        for name in names.split(", "):
            yield "_system" if name == "all" else name, words


def test_every_row_of_the_table_is_read() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert len(ROW.findall("\n".join(rows))) == len(rows) - 1 >= 40, "all but the heading"


@for_each("prompt, words", wordings())
def test_settled_wording_is_in_the_prompt_snapshot(prompt: str, words: str) -> None:
    shown = (SNAPSHOTS / f"{prompt}.txt").read_text(encoding="utf-8")
    assert " ".join(words.split()) in " ".join(shown.split())
