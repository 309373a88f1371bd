"""Parser of the evidence in a prompt: numbered items and texts of the user message.

ragstone fences evidence (`| line`, or `2| line` for item 2); other tools number lines, or write lists as JSON or
as Python's `repr`. Only the first user message is read, so that a retry with a complaint has the same evidence.
"""

import ast
import json
import re
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

_BARRED = re.compile(r"^(\d*)\| (.*)$", re.MULTILINE)
_QUOTED = r'(?:"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
_LIST = re.compile(rf"\[\s*{_QUOTED}(?:\s*,\s*{_QUOTED})*\s*\]")
_MARKED = re.compile(r"^[ \t]*[\[(]?(\d+)[.):\]][ \t]*(.*)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\u3002\uff1f\uff01]+[.!?\u3002\uff1f\uff01]?")
_LONGEST = 400


@dataclass(frozen=True)
class Evidence:
    """The evidence in one user message."""

    text: str

    @cached_property
    def _fenced(self) -> list[list[tuple[str, str]]]:
        """Number and text of all fenced lines, by block: a fenced text has no empty line that would split a block."""
        blocks = [_BARRED.findall(block) for block in self.text.split("\n\n")]
        return [block for block in blocks if block]

    @cached_property
    def items(self) -> list[str]:
        """The last numbered list, one text per item; empty without one."""
        if self._fenced:
            return _joined(next((block for block in reversed(self._fenced) if block[0][0]), []))
        lists = _LIST.findall(self.text)
        if lists:
            return _read_list(lists[-1])
        return _last_list([(int(number), line) for number, line in _MARKED.findall(self.text)])

    @cached_property
    def first_items(self) -> list[str]:
        """The first numbered list, one text per item; empty without fenced lists."""
        return _joined(next((block for block in self._fenced if block[0][0]), []))

    @cached_property
    def plain(self) -> str:
        """The last fenced text that is not a list, else the last list; the end of the message if nothing is fenced."""
        pieces = [block for block in self._fenced if not block[0][0]] or self._fenced
        return " ".join(line for _, line in pieces[-1]) if pieces else self.text[-_LONGEST:]

    @cached_property
    def seed(self) -> int:
        """A hash of the evidence alone, independent of a complaint after the question."""
        lines = "\n".join(line for block in self._fenced for _, line in block) or self.text
        return crc32(lines.encode("utf-8", "surrogatepass"))

    def of_task(self, name: str) -> "Evidence":
        """Return the evidence of one task of a combined prompt, as in its own prompt; all of it without that task."""
        found = re.search(rf"^{name}, from (.+):$", self.text, re.MULTILINE)
        if found is None:
            return self
        labels = set(found[1].split(", "))
        blocks = [block for block in self.text.split("\n\n") if block.partition(":\n")[0] in labels]
        return Evidence("\n\n".join([*blocks, self.text[found.end() :].partition("\n\n")[0]]))


def sentences(text: str, most: int) -> list[str]:
    """The first sentences of a text."""
    found = [piece.strip()[:_LONGEST] for piece in _SENTENCE.findall(text)]
    return [piece for piece in found if any(map(str.isalnum, piece))][:most]


def _read_list(text: str) -> list[str]:
    try:
        return list(json.loads(text))
    except ValueError:  # a list in Python's `repr`, or no list
        try:
            return list(ast.literal_eval(text))
        except (ValueError, SyntaxError):
            return []


def _joined(block: list[tuple[str, str]]) -> list[str]:
    """Return the items of one fenced list: lines with the same number are joined."""
    items: dict[str, str] = {}
    for number, line in block:
        items[number] = f"{items[number]} {line}" if number in items else line
    return list(items.values())


def _last_list(lines: list[tuple[int, str]]) -> list[str]:
    items: list[str] = []
    for number, line in lines:
        if number == 1:
            items = [line]
        elif number == len(items) + 1:
            items.append(line)
    return items
