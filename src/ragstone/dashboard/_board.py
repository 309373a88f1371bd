"""What every page works on: the store and the settings. One value, handed to the application, never global."""

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from ragstone.config import Settings
from ragstone.store import Store


@dataclass(frozen=True, slots=True)
class Board:
    """What the application was opened on.

    Attributes:
        store: the runs.
        settings: judges by name, presets and thresholds, as the command line would use them.
    """

    store: Store
    settings: Settings = field(default_factory=Settings)


def _board(request: Request) -> Board:
    return request.app.state.board


BoardOf = Annotated[Board, Depends(_board)]
"""A parameter of this type is the board of the application that was asked."""
