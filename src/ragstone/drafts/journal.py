"""Files of JSON lines to which rows are appended one by one: the journal of a draft, the decisions of a review.

Nothing that was written is lost: only a last line without its line break, which a killed process left, is removed.
Other lines that cannot be read stay in the file, and are reported. A file that holds something else is not opened.
"""

import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from ragstone.datasets.load import BadRowWarning
from ragstone.engine.exchange import Exchange
from ragstone.errors import BadOption
from ragstone.event import Event, JudgeCalled
from ragstone.private_file import append_privately


class RowFile:
    """A file of JSON objects, one on each line; a new file is readable by its user alone.

    `rows` are those that it held when it was opened.
    """

    def __init__(self, path: Path, is_row: Callable[[dict[str, Any]], bool], kind: str) -> None:
        """Read the file, if it exists; one that cannot be read, or is not of this `kind`, is refused and left as is."""
        self.path, self._kind = path, kind
        lines = self._read().split(b"\n")
        rows = [_read_row(line, is_row) for line in lines]
        self.rows = tuple(row for row in rows if row is not None)
        damaged = [
            number for number, line in enumerate(lines[:-1], 1) if line.strip() and not rows[number - 1]
        ]
        if (damaged or lines[-1].strip()) and not self.rows and not _is_torn_start(lines):
            raise self._refuse(f"is not {kind}")
        if damaged:
            message = f"{path}: line {damaged[0]} cannot be read and is ignored ({len(damaged)} such lines)."
            warnings.warn(message, BadRowWarning, stacklevel=3)
        self._repair(lines[-1], complete=rows[-1] is not None)

    def append(self, row: dict[str, Any]) -> None:
        """Write a row and flush it."""
        self._write(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")

    def _read(self) -> bytes:
        if not self.path.exists():
            return b""
        if not self.path.is_file():
            raise self._refuse("is not a file")
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise self._refuse(f"cannot be read ({error.strerror})") from None

    def _repair(self, last: bytes, *, complete: bool) -> None:
        """End the last line if it is a row without its line break; remove it if it is a part of a row."""
        if complete:
            self._write(b"\n")
        elif last:
            os.truncate(self.path, self.path.stat().st_size - len(last))

    def _write(self, text: bytes) -> None:
        with append_privately(self.path) as file:
            file.write(text)

    def _refuse(self, problem: str) -> BadOption:
        return BadOption(f"{self.path} {problem}: give another --output, or move that file away.")


def _read_row(line: bytes, is_row: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    try:
        row: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return (
        cast("dict[str, Any]", row) if isinstance(row, dict) and is_row(cast("dict[str, Any]", row)) else None
    )


def _is_torn_start(lines: list[bytes]) -> bool:
    """Return whether a file is only the beginning of its first row, as a process leaves it that is killed at once."""
    return len(lines) == 1 and lines[0].startswith(b'{"') and not lines[0].rstrip().endswith(b"}")


_MAX_COST = 1e9
"""US dollars; a reply with a higher cost is no reply of a judge."""


class DraftJournal:
    """The judge's answers and the completed stages, so that a killed draft can be resumed.

    Answers are looked up by prompt; everything else is computed again. `spent` is the cost of the recorded answers in
    US dollars.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.spent = 0.0
        self._replies: dict[str, str] = {}
        self._stages: dict[str, str] = {}
        self._file = RowFile(path, _is_row, "the journal of a draft")
        for row in self._file.rows:
            self._add_row(row)

    def _add_row(self, row: dict[str, Any]) -> None:
        if "stage" in row:
            self._stages[row["stage"]] = row["digest"]
        else:
            self._replies[row["key"]] = json.dumps(row["reply"], ensure_ascii=False)
            self.spent += row["reply"].get("cost") or 0.0

    def recall(self, key: str) -> str | None:
        """Return the reply to the prompt of that key, or None."""
        return self._replies.get(key)

    def listen(self, event: Event) -> None:
        """Record an answer of the judge."""
        if isinstance(event, JudgeCalled) and isinstance(event.exchange, Exchange) and not event.recorded:
            exchange = event.exchange
            self._replies[exchange.key] = exchange.written
            self._file.append(
                {"key": exchange.key, "prompt": event.prompt, "reply": json.loads(exchange.written)}
            )

    def reach(self, stage: str, digest: str, count: int) -> None:
        """Record that a stage is done."""
        recorded = self._stages.get(stage)
        if recorded is not None and recorded != digest:
            raise BadOption(
                f"{self.path} is the journal of another draft (different {stage}). Delete it to start over, or give "
                "another --output."
            )
        if recorded is None:
            self._stages[stage] = digest
            self._file.append({"stage": stage, "digest": digest, "count": count})


def _is_row(row: dict[str, Any]) -> bool:
    """Return whether a row is a stage, or a prompt's key with the reply and its cost."""
    if isinstance(row.get("stage"), str):
        return isinstance(row.get("digest"), str)
    reply: Any = row.get("reply")
    if not isinstance(row.get("key"), str) or not isinstance(reply, dict):
        return False
    cost: Any = cast("dict[str, Any]", reply).get("cost")
    return cost is None or (type(cost) in (int, float) and 0 <= cost <= _MAX_COST)
