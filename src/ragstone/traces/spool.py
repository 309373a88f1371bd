"""Grouping of records by trace or session, in any order of arrival and with little memory.

The records are written to an unnamed temporary file (in memory while it is small). Only an index is held in memory,
about 30 bytes for each record and 400 for each trace.
"""

import json
from array import array
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Self

from ragstone.traces.kinds import kind_of
from ragstone.traces.span import Record, Span, record_from_json, session_key

_MAX_MEMORY_BYTES = 16 * 1024 * 1024
_NO_RECORD = -1


class RecordSpool:
    """Collects records and yields them by group. Each group is read from the file when it is yielded."""

    def __init__(self, *, by_session: bool = False, memory: int = _MAX_MEMORY_BYTES) -> None:
        """Group by trace, or by session; a trace without a session is a group of its own.

        The records are moved to disk when they exceed `memory` bytes.
        """
        self._by_session = by_session
        self._file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(max_size=memory)  # noqa: SIM115  (closed by `close`)
        self._size = 0
        self._offsets = array("q")
        self._previous = array("q")
        self._last_record: dict[str, int] = {}
        self._start_ns: dict[str, int] = {}
        self._sessions: dict[str, str] = {}

    def add(self, record: Record) -> None:
        """Add a record."""
        text = json.dumps(record.to_json(), separators=(",", ":"), ensure_ascii=False, default=str)
        data = text.encode(errors="replace") + b"\n"  # a lone surrogate cannot be encoded
        self._file.write(data)
        for trace in self._traces(record):
            self._offsets.append(self._size)
            self._previous.append(self._last_record.get(trace, _NO_RECORD))
            self._last_record[trace] = len(self._offsets) - 1
        self._size += len(data)
        if isinstance(record, Span):
            trace = record.trace_id
            self._start_ns[trace] = min(record.start_ns, self._start_ns.get(trace, record.start_ns))
            session = session_key(record) if self._by_session else None
            if session is not None:
                self._sessions[trace] = min(session, self._sessions.get(trace, session))

    def groups(self) -> Iterator[list[Record]]:
        """Yield the records of each group, in order of the earliest start of the groups."""
        by_group: dict[str, list[str]] = {}
        for trace in sorted(self._last_record, key=lambda trace: (self._start_ns.get(trace, 0), trace)):
            by_group.setdefault(self._sessions.get(trace, f"trace {trace}"), []).append(trace)
        for traces in by_group.values():
            yield [record for trace in traces for record in self._read(trace)]

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def __enter__(self) -> Self:
        """Return the spool."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Remove the file."""
        self.close()

    def _read(self, trace: str) -> Iterator[Record]:
        index = self._last_record[trace]
        while index != _NO_RECORD:
            self._file.seek(self._offsets[index])
            values: dict[str, Any] = json.loads(
                self._file.readline(), parse_constant=lambda _: None
            )  # NaN and infinity
            yield record_from_json(values)
            index = self._previous[index]

    def _traces(self, record: Record) -> set[str]:
        """Return the traces of a record. An evaluation span also belongs to the traces that it links to."""
        if isinstance(record, Span) and record.links and kind_of(record) == "judge":
            return {record.trace_id, *(link.trace_id for link in record.links)}
        return {record.trace_id}
