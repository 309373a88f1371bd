"""The journal of a draft: what the judge answered, and how far drafting got. A killed draft goes on where it was.

A file of JSON lines beside the output, written line by line. The judge's answers are found by their prompts, so that
none is asked for twice; everything else is computed anew from the documents.
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
        path: the journal.
        spent: US dollars that the recorded answers cost.
    """

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`, with what it holds; a last line that was cut off is dropped."""
        self.path = path
        self.spent = 0.0
        self._replies: dict[str, str] = {}
        self._stages: dict[str, str] = {}
        whole = 0
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
            row = _row(line)
            if row is None:
                break
            whole += len(line)
            self._read(row)
        self._file: IO[bytes] = path.open("ab")
        self._file.truncate(whole)

    def _read(self, row: dict[str, Any]) -> None:
        if "stage" in row:
            self._stages[str(row["stage"])] = str(row["digest"])
        elif "key" in row:
            self._replies[str(row["key"])] = json.dumps(row["reply"], ensure_ascii=False)
            self.spent += float(row["reply"].get("cost") or 0.0)

    def recall(self, key: str) -> str | None:
        """Return the reply to the prompt of that key, or None."""
        return self._replies.get(key)

    def listen(self, event: Event) -> None:
        """Write down an answer of the judge."""
        if isinstance(event, JudgeCalled) and isinstance(event.exchange, Exchange) and not event.recorded:
            exchange = event.exchange
            self._replies[exchange.key] = exchange.written
            self._write({"key": exchange.key, "prompt": event.prompt, "reply": json.loads(exchange.written)})

    def reach(self, stage: str, digest: str, count: int) -> None:
        """Write down that a stage is done.

        Raises:
            BadOption: the journal is that of other documents or options.
        """
        known = self._stages.get(stage)
        if known is not None and known != digest:
            raise BadOption(
                f"{self.path} is the journal of another draft: its {stage} differ. Delete it to begin anew, or name "
                "another --output."
            )
        if known is None:
            self._stages[stage] = digest
            self._write({"stage": stage, "digest": digest, "count": count})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        self._file.flush()


def _row(line: bytes) -> dict[str, Any] | None:
    """Return a line of the journal; None where it was cut off."""
    if not line.endswith(b"\n"):
        return None
    try:
        return json.loads(line)
    except ValueError:
        return None
