"""What a prompt shows a judge: its numbered items and its texts, read from the user message.

ragstone fences evidence (`| line`, or `2| line` for item 2); other tools number lines, or write lists as JSON or
as Python shows them. Only the first user message is read: a question put again, with a complaint, stays the same.
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
        """Number and line of all fenced lines, by block: a fenced text has no empty line to break one."""
        blocks = [_BARRED.findall(block) for block in self.text.split("\n\n")]
        return [block for block in blocks if block]

    @cached_property
    def items(self) -> list[str]:
        """The last numbered list, one text per item; empty where nothing is numbered."""
        if self._fenced:
            return _joined(next((block for block in reversed(self._fenced) if block[0][0]), []))
        lists = _LIST.findall(self.text)
        if lists:
            return _read_list(lists[-1])
        return _last_list([(int(number), line) for number, line in _MARKED.findall(self.text)])

    @cached_property
    def first_items(self) -> list[str]:
        """The first numbered list, one text per item; empty where nothing is fenced."""
        return _joined(next((block for block in self._fenced if block[0][0]), []))

    @cached_property
    def plain(self) -> str:
        """The last text that is one piece, not a list; all text where nothing is fenced."""
        pieces = [block for block in self._fenced if not block[0][0]] or self._fenced
        return " ".join(line for _, line in pieces[-1]) if pieces else self.text[-_LONGEST:]

    @cached_property
    def seed(self) -> int:
        """A number from the evidence alone, whatever complaint stands after the question."""
        lines = "\n".join(line for block in self._fenced for _, line in block) or self.text
        return crc32(lines.encode("utf-8", "surrogatepass"))

    def of_task(self, name: str) -> "Evidence":
        """What one task of a combined prompt names, as it would stand in a prompt of its own; all if there is none."""
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
    except ValueError:  # a list as Python shows it, or none at all
        try:
            return list(ast.literal_eval(text))
        except (ValueError, SyntaxError):
            return []


def _joined(block: list[tuple[str, str]]) -> list[str]:
    """The items of one fenced list: lines of one number belong together."""
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
