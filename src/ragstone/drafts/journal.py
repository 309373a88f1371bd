"""The journal of a draft: the judge's answers and the completed stages, so that a killed draft can be resumed.

The journal is a file of JSON lines next to the output. Answers are looked up by prompt, so that no prompt is sent
twice; everything else is computed again from the documents.
"""

import json
from pathlib import Path
from typing import Any, cast

from ragstone.drafts.row_file import RowFile
from ragstone.engine.exchange import Exchange
from ragstone.errors import BadOption
from ragstone.event import Event, JudgeCalled

_MAX_COST = 1e9
"""US dollars; a reply with a higher cost is no reply of a judge."""


class DraftJournal:
    """The journal of one output file; `spent` is the cost of the recorded answers in US dollars."""

    def __init__(self, path: Path) -> None:
        """Open the journal at `path` and read it."""
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
