"""Who makes a request, and what it changed: for the permissions and for the audit log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Self
from urllib.parse import unquote

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from ragstone.dashboard.security.credentials import Credentials, bearer_token
from ragstone.dashboard.security.refused import Refused
from ragstone.errors import UsageError
from ragstone.store.read.audit_log import Actor, AuditEntry, AuditLog
from ragstone.store.read.tokens import PREFIX, AccessToken, AccessTokens
from ragstone.store.schema.connect import DATABASE_ERRORS

ANNOTATOR_COOKIE = "ragstone_annotator"
"""Cookie with the name that somebody gave as annotator. No login: it only keeps several people's verdicts apart."""

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Access:
    """What requests must present, how a token is found (`AccessTokens.find`), and where the audit log is written."""

    credentials: Credentials
    find_token: Callable[[str], AccessToken | None]
    add_entries: Callable[..., None]

    @classmethod
    def to(cls, credentials: Credentials, tokens: AccessTokens, audit_log: AuditLog) -> Self:
        """Return the access to a store."""
        return cls(credentials, tokens.find, audit_log.add)

    async def actor(self, address: str, headers: Headers) -> Actor:
        """Return who makes a request.

        Raises:
            Refused: it presents nothing that gives access, or something that is not valid.
        """
        credentials, secret = self.credentials, bearer_token(headers)
        person = credentials.trusted.person(address, headers) if credentials.trusted else None
        if person is not None:
            return person
        if secret.startswith(PREFIX) and not credentials.matches(secret):
            try:
                token = await run_in_threadpool(self.find_token, secret)
            except (*DATABASE_ERRORS, UsageError) as error:
                message = "Tokens cannot be checked now: the store does not answer. Retry later."
                raise Refused(503, message) from error
            return _accepted(token, address)
        if not credentials.admits(headers):
            problem = "The token is wrong. " if secret else ""
            raise Refused(
                401,
                f"{problem}This request needs the token that `ragstone serve` printed, or one of `ragstone token`, "
                "as Authorization: Bearer TOKEN.",
            )
        return Actor("page", claimed_name(headers), "owner", address)


class Trail:
    """Collects the lines of the audit log of a request. They are written before its response is sent.

    Attributes:
        actor: who makes the request.
    """

    def __init__(self, add: Callable[..., None], actor: Actor, action: str) -> None:
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


async def _trail(request: Request) -> Trail:
    return request.state.trail


TrailDep = Annotated[Trail, Depends(_trail)]


def clean_name(text: str) -> str:
    """Return an annotator's name on one line, and not too long."""
    return " ".join(text.split())[:LONGEST_NAME].strip()


def claimed_name(headers: Headers) -> str:
    """Return the annotator's name from the cookie, which nobody verified; empty without one."""
    return clean_name(unquote(cookie_parser(headers.get("cookie", "")).get(ANNOTATOR_COOKIE, "")))


def _accepted(token: AccessToken | None, address: str) -> Actor:
    if token is None:
        raise Refused(401, "The token is wrong: there is none like it in this store.")
    if token.state != "valid":
        when = token.revoked or token.expires
        raise Refused(
            401,
            f"The token {token.name!r} is {token.state} since {when:%Y-%m-%d %H:%M} UTC: an owner makes another one.",
        )
    return Actor("token", token.name, token.role, address)
