"""Log records as JSON lines on standard error: ragstone's messages, those of the web server, and warnings."""

import json
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime


class JsonLines(logging.Handler):
    """Writes each record as a JSON object with its time (UTC), level, logger, message and, for an error, traceback."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """Write by a function that takes a line."""
        super().__init__()
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = logging.Formatter().formatException(record.exc_info)
        self._write(json.dumps(entry))  # a line break in a message is escaped


def is_json() -> bool:
    """Return whether records are written as JSON."""
    return any(isinstance(handler, JsonLines) for handler in logging.getLogger().handlers)


@contextmanager
def logging_json(write: Callable[[str], None]) -> Generator[None]:
    """Write the records of the whole process as JSON: information of ragstone's own, and warnings of others."""
    root, own, handler = logging.getLogger(), logging.getLogger("ragstone"), JsonLines(write)
    former = own.level
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        own.setLevel(former)
        root.removeHandler(handler)
