"""The journal of a draft: the judge's answers and the completed stages, so that a killed draft can be resumed.

The journal is a file of JSON lines next to the output, flushed after each line. Answers are looked up by prompt, so
that no prompt is sent twice; everything else is computed again from the documents.
"""

import json
from pathlib import Path
from typing import IO, Any

from ragstone.engine.exchange import Exchange
from ragstone.errors import BadOption
from ragstone.event import Event, JudgeCalled


class DraftJournal:
    """The journal of one output file.

    Attributes:
        path: the file of the journal.
        spent: cost of the recorded answers in US dollars.
    """

    def __init__(self, path: Path) -> None:
        """Open the journal at `path` and read it; an incomplete last line is removed."""
        self.path = path
        self.spent = 0.0
        self._replies: dict[str, str] = {}
        self._stages: dict[str, str] = {}
        valid_size = 0
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
            row = _parse_row(line)
            if row is None:
                break
            valid_size += len(line)
            self._add_row(row)
        self._file: IO[bytes] = path.open("ab")
        self._file.truncate(valid_size)

    def _add_row(self, row: dict[str, Any]) -> None:
        if "stage" in row:
            self._stages[str(row["stage"])] = str(row["digest"])
        elif "key" in row:
            self._replies[str(row["key"])] = json.dumps(row["reply"], ensure_ascii=False)
            self.spent += float(row["reply"].get("cost") or 0.0)

    def recall(self, key: str) -> str | None:
        """Return the reply to the prompt of that key, or None."""
        return self._replies.get(key)

    def listen(self, event: Event) -> None:
        """Record an answer of the judge."""
        if isinstance(event, JudgeCalled) and isinstance(event.exchange, Exchange) and not event.recorded:
            exchange = event.exchange
            self._replies[exchange.key] = exchange.written
            self._write({"key": exchange.key, "prompt": event.prompt, "reply": json.loads(exchange.written)})

    def reach(self, stage: str, digest: str, count: int) -> None:
        """Record that a stage is done.

        Raises:
            BadOption: the journal belongs to a draft with other documents or options.
        """
        recorded = self._stages.get(stage)
        if recorded is not None and recorded != digest:
            raise BadOption(
                f"{self.path} is the journal of another draft (different {stage}). Delete it to start over, or give "
                "another --output."
            )
        if recorded is None:
            self._stages[stage] = digest
            self._write({"stage": stage, "digest": digest, "count": count})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        self._file.flush()


def _parse_row(line: bytes) -> dict[str, Any] | None:
    """Return a parsed line of the journal; None if the line is incomplete."""
    if not line.endswith(b"\n"):
        return None
    try:
        return json.loads(line)
    except ValueError:
        return None
