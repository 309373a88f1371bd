"""Tokens of machines: made by name, shown once, stored as a hash, revocable."""

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import compare_digest, token_urlsafe
from typing import Any, Literal, NamedTuple, get_args

from sqlalchemy import Engine, insert, select, update
from sqlalchemy.engine import RowMapping
from sqlalchemy.exc import IntegrityError

from ragstone.errors import BadOption, NotInStore, UsageError
from ragstone.store.read.audit_log import AuditEntry, Role, add_entries
from ragstone.store.schema.tables import TOKENS, now

PREFIX = "rgs_"  # how every token begins, so that scanners for secrets find a token in a repository
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,79}")
_SECRET = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
_MAX_DAYS = 36_500
TokenState = Literal["valid", "expired", "revoked"]


class AccessToken(NamedTuple):
    """A token, without its secret. Times are in UTC; None: it never expires, it was not revoked.

    No other token of the store ever has its name, so that the audit log is unambiguous.
    """

    name: str
    role: Role
    created: datetime
    created_by: str
    expires: datetime | None
    revoked: datetime | None
    revoked_by: str

    @property
    def state(self) -> TokenState:
        """Whether it is accepted now, and if not, why."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and self.expires <= datetime.now(UTC) else "valid"

    def plain(self) -> dict[str, Any]:
        """Return the token as plain values, for JSON."""
        times = {
            name: time.isoformat() for name, time in self._asdict().items() if isinstance(time, datetime)
        }
        return {**self._asdict(), **times, "state": self.state}


class AccessTokens:
    """The tokens of a store."""

    def __init__(self, engine: Engine) -> None:
        """Use the database of `engine`."""
        self._engine = engine

    def make(self, name: str, role: Role, entry: AuditEntry, days: int | None = None) -> str:
        """Make a token, and return its secret, which is not stored and cannot be shown again.

        Args:
            name: 1 to 80 letters, digits and `. _ @ -`.
            role: what its holder may do.
            entry: the line of the audit log.
            days: after how many days it expires; None: never.

        Raises:
            UsageError: the name, the role or the days are not valid, or there is or was a token of this name.
        """
        if not _NAME.fullmatch(name):
            raise BadOption(
                f"{name[:100]!r} is not a name of a token: write 1 to 80 letters, digits and . _ @ -, such as ci-main."
            )
        if role not in get_args(Role):
            raise BadOption(f"{role!r} is not a role: give one of {', '.join(get_args(Role))}.")
        if days is not None and not 0 < days <= _MAX_DAYS:
            raise BadOption(f"A token cannot expire after {days} days: give 1 to {_MAX_DAYS}.")
        secret = PREFIX + token_urlsafe(32)
        expires = now(timedelta(days=days)) if days is not None else ""
        row = {"name": name, "hash": _hash(secret), "role": role, "created": now(), "expires": expires}
        row |= {"created_by": entry.actor.name, "revoked": "", "revoked_by": ""}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(TOKENS), [row])
                add_entries(connection, entry)
        except IntegrityError:
            raise UsageError(
                f"There is, or was, a token named {name!r}: names are not used twice. Write another name."
            ) from None
        return secret

    def all(self) -> list[AccessToken]:
        """Return the tokens, also revoked ones, the latest first."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(TOKENS).order_by(TOKENS.c.number.desc())).mappings()
            return [_to_token(row) for row in rows]

    def revoke(self, name: str, entry: AuditEntry) -> bool:
        """Revoke a token; return whether it was not revoked before.

        Raises:
            NotInStore: there is no token of this name.
        """
        c = TOKENS.c
        with self._engine.begin() as connection:
            change = update(TOKENS).where(c.name == name, c.revoked == "")
            values = {"revoked": now(), "revoked_by": entry.actor.name}
            revoked = connection.execute(change.values(values)).rowcount > 0
            if revoked:
                add_entries(connection, entry)
            elif connection.execute(select(c.number).where(c.name == name)).first() is None:
                raise NotInStore(f"There is no token named {name[:100]!r}.")
        return revoked

    def find(self, secret: str) -> AccessToken | None:
        """Return the token with this secret, also if it is expired or revoked; None if there is none.

        The database finds it by its hash, which says nothing about the secret; the hashes are then compared in
        constant time.
        """
        if not _SECRET.fullmatch(secret):
            return None
        wanted = _hash(secret)
        with self._engine.connect() as connection:
            row = connection.execute(select(TOKENS).where(TOKENS.c.hash == wanted)).mappings().first()
        return _to_token(row) if row is not None and compare_digest(row["hash"], wanted) else None


def _hash(secret: str) -> str:
    """Return the hash that is stored. A secret of 256 random bits needs neither salt nor a slow hash."""
    return sha256(secret.encode()).hexdigest()


def _to_token(row: RowMapping) -> AccessToken:
    times = {
        name: datetime.fromisoformat(row[name]) if row[name] else None
        for name in ("created", "expires", "revoked")
    }
    values: dict[str, Any] = {name: row[name] for name in AccessToken._fields} | times
    return AccessToken(**values)
