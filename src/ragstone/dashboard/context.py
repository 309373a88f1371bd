"""The application context: store, settings and upload folder, as one value that every route gets."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from platformdirs import user_data_path

from ragstone.config import Settings
from ragstone.store import Store
from ragstone.traces.redaction import Redaction


def _default_upload_folder() -> Path:
    return user_data_path("ragstone") / "datasets"


def default_test_set() -> Path:
    """Return the default file to which questions are added."""
    return user_data_path("ragstone") / "test-set.jsonl"


@dataclass(frozen=True, slots=True)
class AppContext:
    """The store, the settings and the files of the application.

    Attributes:
        store: the runs.
        settings: judges by name, presets and thresholds, as the command line would use them.
        address: what the store was opened with; None: the file in the user's data folder.
        draft: the drafted test set to review, None without one.
        test_set: the file to which questions are added from the pages.
        redaction: the replacements in texts of users before they are stored.
        folder: folder of uploaded datasets, stored under generated names, so that a run can be resumed.
    """

    store: Store
    settings: Settings = field(default_factory=Settings)
    address: bool | str | Path | None = None
    draft: Path | None = None
    test_set: Path = field(default_factory=default_test_set)
    redaction: Redaction = field(default_factory=Redaction)
    folder: Path = field(default_factory=_default_upload_folder)


def _context(request: Request) -> AppContext:
    return request.app.state.ctx


ContextDep = Annotated[AppContext, Depends(_context)]
"""Dependency that gives a route the context of its application."""
