"""Credentials of the page: the token, the session cookie that is set for it, and the link that logs in once."""

from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from threading import Lock

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from ragstone.dashboard.security.trusted_header import TrustedHeader
from ragstone.providers.http.address import is_loopback

COOKIE = "ragstone_session"


class LoginCode:
    """A single-use login code. It is part of the printed address, and invalid after its first use."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._code: str | None = token_urlsafe(24)

    @property
    def unused(self) -> str | None:
        """The code; None once it was used."""
        return self._code

    def redeem(self, code: str) -> bool:
        """Return whether `code` is the unused code, and use it up."""
        with self._lock:
            is_valid = self._code is not None and _equal(code, self._code)
            if is_valid:
                self._code = None
            return is_valid


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials that a request must present.

    Attributes:
        token: the secret token; None on loopback without `--token`, where every user of this machine has access.
        session: value of the cookie that is set for the token; never the token itself.
        login_code: logs in once, from the printed address.
        trusted: the header in which a proxy names people; None: no proxy is trusted.
    """

    token: str | None = None
    session: str = field(default_factory=lambda: token_urlsafe(32))
    login_code: LoginCode = field(default_factory=LoginCode)
    trusted: TrustedHeader | None = None

    @property
    def required(self) -> bool:
        """Whether a request must present something."""
        return self.token is not None or self.trusted is not None

    def admits(self, headers: Headers) -> bool:
        """Return whether a request with these headers has access without a name: by the page's own token."""
        if not self.required:
            return True
        token = bearer_token(headers)
        if token:
            return self.matches(token)
        return _equal(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""), self.session)

    def matches(self, token: str) -> bool:
        """Return whether `token` is the token of the page."""
        return self.token is not None and _equal(token.strip(), self.token)


def credentials_for(host: str, token: str | None = None, trusted: TrustedHeader | None = None) -> Credentials:
    """Return the credentials for an address: on loopback nothing is required, unless a token or a header is given.

    An empty token generates one. Requests without the header need the token.
    """
    if token is None and trusted is None and is_loopback(host):
        return Credentials()
    return Credentials(token or token_urlsafe(24), trusted=trusted)


def bearer_token(headers: Headers) -> str:
    """Return the token of an `Authorization: Bearer` header; empty without one."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _equal(first: str, second: str) -> bool:
    return compare_digest(first.encode("utf-8", "surrogatepass"), second.encode("utf-8", "surrogatepass"))
