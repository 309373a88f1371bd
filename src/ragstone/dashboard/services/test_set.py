"""The test set to which the pages add questions: real ones, each once, in a file that `ragstone run` reads.

A question that is in the file already, after normalisation, is reported and not written again.
"""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.datasets import read_dataset
from ragstone.errors import BadDataset, BadOption
from ragstone.store.write.rows import as_json

_DROPPED_FIELDS = {"name", "expected_tools", "metadata"}
_WORD = re.compile(r"\w+")
_WRITE_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class AddedQuestion:
    """The result of adding a question.

    Attributes:
        added: whether it was written; False if it was in the file already.
        number: its place in the file, from 1.
        path: the file, as `ragstone run` takes it.
    """

    added: bool
    number: int
    case_id: str
    path: str


class GrowingTestSet:
    """A test set in a file of JSON lines, to which questions are added one by one."""

    def __init__(self, path: Path, redact: Callable[[Any], Any] = lambda value: value) -> None:
        """Add to the file at `path`, which is created with the first question; `redact` returns the values to store.

        Raises:
            BadOption: the file's name does not end in .jsonl.
        """
        if path.suffix != ".jsonl":
            raise BadOption(
                f"{path} is not a .jsonl file, so no test case can be added. Name a file that ends in .jsonl."
            )
        self.path = path
        self._redact = redact

    def add(self, case: TestCase, provenance: Mapping[str, Any], expected: str = "") -> AddedQuestion:
        """Write a test case, unless its question is there already.

        Of its metadata only the release is kept, beside its provenance. An expected output replaces its own.

        Raises:
            BadDataset: the file is not a dataset, or cannot be written.
        """
        row = self._row(case, provenance, expected)
        with _WRITE_LOCK:
            question, count = normalised(asked(row)), 0
            for count, existing in enumerate(self._existing_rows(), 1):
                if normalised(asked(existing)) == question:
                    return AddedQuestion(False, count, str(existing["id"]), str(self.path))
            try:
                self._append(row)
            except OSError as error:
                raise BadDataset(f"{self.path} cannot be written: {error}.") from error
            return AddedQuestion(True, count + 1, str(row["id"]), str(self.path))

    def _row(self, case: TestCase, provenance: Mapping[str, Any], expected: str) -> dict[str, Any]:
        values = json.loads(as_json(case, exclude_none=True))
        row = {
            name: value
            for name, value in values.items()
            if name not in _DROPPED_FIELDS and value not in (None, [], "", {})
        }
        if expected.strip():
            row["expected_output"] = expected.strip()
        release = case.metadata.get("release")
        origin = {**provenance, **({"release": release} if release else {})}
        redacted = {name: value if name == "id" else self._redact(value) for name, value in row.items()}
        return {
            **redacted,
            "metadata": {"provenance": origin | {"added": datetime.now(UTC).isoformat(timespec="seconds")}},
        }

    def _existing_rows(self) -> list[dict[str, Any]]:
        if not self.path.exists() or not self.path.stat().st_size:
            return []
        return [
            json.loads(as_json(item, exclude_none=True)) if isinstance(item, TestCase) else {"id": ""}
            for item in read_dataset(self.path)
        ]

    def _append(self, row: Mapping[str, Any]) -> None:
        """Append a line in one write; if the last line of the file is incomplete, it is ended first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            is_unterminated = size and os.pread(descriptor, 1, size - 1) != b"\n"
            os.write(descriptor, b"\n" + line if is_unterminated else line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def asked(row: Mapping[str, Any]) -> str:
    """Return the question of a row: all that the user says in its turns, or its input without turns."""
    turns = cast("list[dict[str, Any]]", row.get("turns") or [])
    question = "\n".join(str(turn.get("content")) for turn in turns if turn.get("role") == "user")
    return question or str(row.get("input") or "")


def normalised(question: str) -> str:
    """Return a question without case, punctuation and letter width, for comparison with other questions."""
    plain = unicodedata.normalize("NFKC", question).casefold()
    return " ".join(_WORD.findall(plain)) or plain.strip()
