"""A page of the documentation, as what can be run: its fenced blocks, and the comments that speak of them.

A comment on lines of its own says what a reader need not see:

    <!-- file: cases.jsonl -->              the next block is the content of that file
    <!-- file: cases.jsonl                  the lines of the comment are
    {"input": "?", "actual_output": "!"}
    -->
    <!-- exit codes: 1 0 -->                of the next block's commands, where they are not all 0
    <!-- first: cp a.json b.json -->        run before the next block
    <!-- not run: needs a key -->           the next block is not run, and why

Blocks of `make` are not run: what they do is to set up the repository and to run these tests.

A ```sh block holds commands; a ```console block holds `$ command` and, below it, what it prints. What a ```python block
prints stands in its comments that begin with `# > `, or in a ```text block right below it. In an output, `…` stands for
anything on its line, and a line of its own for any lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "src/ragstone/SKILL.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
RUN = frozenset({"python", "py", "sh", "bash", "shell", "console"})
_RIGHT_BELOW = 3
"""From a closing fence over a blank line and an opening fence to the first line of the next block."""
SHOWN = frozenset({"text", "toml", "json", "jsonl", "yaml", "csv", "ini"})

_PIECE = re.compile(
    r"^<!-- (?P<note>.*?)\s*-->[ \t]*$"
    r"|^(?P<fence>`{3,})(?P<language>[\w+-]*)[^\n]*\n(?P<code>.*?)^(?P=fence)[ \t]*$"
    r"|^[^\n]*\S[^\n]*$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block, or the content of a hidden file.

    Attributes:
        line: where its first line stands, from 1.
        notes: what the comments before it say, by their first words.
        below: the content of the ```text block right below it, if there is one.
    """

    page: Path
    line: int
    language: str
    code: str
    notes: dict[str, str]
    below: str = ""

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def kept_back(self) -> str | None:
        """Why it is not run; None where it is run, or is not code."""
        made = self.language in RUN and all(
            line.startswith("make ") for line in self.code.split("\n") if line
        )
        return self.notes.get("not run", "sets up the repository" if made else None)

    @property
    def runs(self) -> bool:
        """Whether it is code that is to be run."""
        return self.language in RUN and self.kept_back is None and "file" not in self.notes

    @property
    def printed(self) -> tuple[str, ...]:
        """The lines that the page shows as the output of a ```python block; none where it shows no output."""
        beside = re.findall(r"# ?> ?([^\n]*)", self.code)
        return tuple(line for line in beside or self.below.splitlines() if line.strip())

    @property
    def end(self) -> int:
        """The line of the fence that closes it, from 1."""
        return self.line + self.code.count("\n")


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page in order."""
    return read(page, page.read_text(encoding="utf-8"))


def read(page: Path, text: str) -> list[Block]:
    """Return the blocks of a page's text in order."""
    found = list(_blocks(page, text))
    below = {
        first.line: second.code
        for first, second in pairwise(found)
        if second.language == "text" and not second.notes and second.line - first.end <= _RIGHT_BELOW
    }
    return [replace(block, below=below.get(block.line, "")) for block in found]


def _blocks(page: Path, text: str) -> Iterator[Block]:
    notes: dict[str, str] = {}
    for piece in _PIECE.finditer(text):
        if note := piece["note"]:
            key, _, value = note.partition(": ")
            name, newline, content = value.partition("\n")
            if newline:
                line = text.count("\n", 0, piece.start()) + 2
                yield Block(page, line, "", f"{content}\n", {key: name.strip()})
            else:
                notes[key] = value
            continue
        if piece["fence"]:
            line = text.count("\n", 0, piece.start("code")) + 1
            yield Block(page, line, piece["language"], piece["code"], notes)
        notes = {}
