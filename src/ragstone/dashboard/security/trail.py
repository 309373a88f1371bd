"""What one request changed, for the audit log."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request

from ragstone.store.read.audit_log import Actor, AuditEntry


class Trail:
    """Collects the lines of the audit log of a request. They are written before its response is sent.

    Attributes:
        actor: who makes the request.
    """

    def __init__(self, add: Callable[..., None], actor: Actor, action: str) -> None:
        """Collect lines on `action`, to be written by `add`."""
        self.actor = actor
        self._add, self._action = add, action
        self._entries: list[AuditEntry] = []
        self._is_noted = False

    def entry(self, subject: str, detail: str = "") -> AuditEntry:
        """Return a line that the caller writes in the transaction of its change."""
        self._is_noted = True
        return AuditEntry(self.actor, self._action, subject, detail)

    def note(self, subject: str, detail: str = "") -> None:
        """Write a line if the request succeeds."""
        self._entries.append(self.entry(subject, detail))

    def skip(self) -> None:
        """Write no line: the request changed nothing."""
        self._is_noted = True

    def write(self, path: str) -> None:
        """Write the lines; if there was none, one that names the path of the request."""
        if not self._is_noted:
            self.note(path)
        self._add(*self._entries)


def _trail(request: Request) -> Trail:
    return request.state.trail


TrailDep = Annotated[Trail, Depends(_trail)]
"""Dependency that gives a route the trail of its request."""
