"""The audit log: who changed what on the page, through the API or by a command. Rows are only added."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Engine, RowMapping, func, insert, select

from ragstone.store.schema.tables import AUDIT_LOG, now
from ragstone.store.write.rows import storable_text

Role = Literal["sender", "reader", "annotator", "owner"]
"""What somebody may do: a sender only sends traces and feedback, a reader only reads, an owner may do everything."""

ActorKind = Literal["person", "token", "page", "command"]
_MAX_TEXT = 500


class Actor(NamedTuple):
    """Who makes a request or gives a command.

    Attributes:
        kind: `person` (named by a trusted proxy), `token` (a named token), `page` (access without a name: by the page's
            own token, or on loopback), `command` (the command line).
        name: name of the person, the token or the account of the machine. For `page` the name that somebody gave as
            annotator, which is not verified; it may be empty.
        role: what they may do.
        address: IP address that the request came from; empty for a command.
    """

    kind: ActorKind
    name: str
    role: Role
    address: str = ""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A change to be written to the audit log: who did what, such as `delete`, to which run, token or baseline.

    `detail` is more about it, such as the case that was annotated.
    """

    actor: Actor
    action: str
    subject: str = ""
    detail: str = ""


class AuditLine(NamedTuple):
    """A line of the audit log: an `AuditEntry` with the time, in UTC, and a number; later lines have larger ones."""

    number: int
    at: datetime
    actor: Actor
    action: str
    subject: str
    detail: str

    def plain(self) -> dict[str, Any]:
        """Return the line as plain values, for JSON."""
        who = self.actor._asdict()
        what = {"action": self.action, "subject": self.subject, "detail": self.detail}
        return {"number": self.number, "at": self.at.isoformat(), **who, **what}


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page of the audit log, the latest line first, and how many lines match on all pages."""

    count: int
    lines: list[AuditLine]


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which lines of the audit log to return: those of a person, token or account, of an action, about a subject."""

    name: str = ""
    action: str = ""
    subject: str = ""
    limit: int = 50
    offset: int = 0


class AuditLog:
    """The audit log of a store."""

    def __init__(self, engine: Engine) -> None:
        """Use the database of `engine`."""
        self._engine = engine

    def add(self, *entries: AuditEntry) -> None:
        """Add lines."""
        with self._engine.begin() as connection:
            add_entries(connection, *entries)

    def page(self, query: AuditQuery = AuditQuery()) -> AuditPage:
        """Return the lines that match, the latest first."""
        c, names = AUDIT_LOG.c, ("name", "action", "subject")
        wanted = [c[name] == getattr(query, name) for name in names if getattr(query, name)]
        rows = select(AUDIT_LOG).where(*wanted).order_by(c.number.desc())
        total = select(func.count()).select_from(AUDIT_LOG).where(*wanted)
        with self._engine.connect() as connection:
            count = connection.execute(total).scalar_one()
            found = connection.execute(rows.limit(query.limit).offset(query.offset)).mappings().all()
        return AuditPage(count, [_to_line(row) for row in found])


def _to_line(row: RowMapping) -> AuditLine:
    actor = Actor(row["kind"], row["name"], row["role"], row["address"])
    at = datetime.fromisoformat(row["at"])
    return AuditLine(row["number"], at, actor, row["action"], row["subject"], row["detail"])


def add_entries(connection: Connection, *entries: AuditEntry) -> None:
    """Add lines in the transaction of a connection: they are kept if and only if its changes are."""
    at = now()
    rows = [
        {
            "at": at,
            "kind": entry.actor.kind,
            "name": storable_text(entry.actor.name),
            "role": entry.actor.role,
            "address": storable_text(entry.actor.address[:64]),
            "action": entry.action,
            "subject": storable_text(entry.subject[:_MAX_TEXT]),
            "detail": storable_text(entry.detail[:_MAX_TEXT]),
        }
        for entry in entries
    ]
    if rows:
        connection.execute(insert(AUDIT_LOG), rows)
