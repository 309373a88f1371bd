"""Who may use the page: the token, the cookie that stands for it, and the link that logs in once."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from secrets import compare_digest, token_urlsafe
from threading import Lock

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

COOKIE = "ragstone_session"


class LoginCode:
    """A code that logs in once: it stands in the address that is printed, and is worth nothing after its first use."""

    def __init__(self) -> None:
        """Make a code."""
        self._lock = Lock()
        self._code: str | None = token_urlsafe(24)

    @property
    def unused(self) -> str | None:
        """The code; None once it was used."""
        return self._code

    def redeem(self, code: str) -> bool:
        """Return whether that is the code, which it is once."""
        with self._lock:
            right = self._code is not None and _equal(code, self._code)
            if right:
                self._code = None
            return right


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request must show.

    Attributes:
        token: what a visitor must know; None on loopback without `--token`: every user of this machine may enter.
        session: value of the cookie that is set for the token: never the token itself.
        login_code: logs in once, from the printed address.
    """

    token: str | None = None
    session: str = field(default_factory=lambda: token_urlsafe(32))
    login_code: LoginCode = field(default_factory=LoginCode)

    def admits(self, headers: Headers) -> bool:
        """Return whether a request with these headers may enter."""
        if self.token is None:
            return True
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.matches(token)
        return _equal(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""), self.session)

    def matches(self, token: str) -> bool:
        """Return whether that is the token."""
        return self.token is not None and _equal(token.strip(), self.token)


def credentials_for(host: str, token: str | None = None) -> Credentials:
    """Return who may enter at an address: on loopback everybody unless there is a token, elsewhere who knows one.

    Args:
        host: the address that is listened on.
        token: the token to demand; an empty text makes one up.
    """
    if token is None and _is_loopback(host):
        return Credentials()
    return Credentials(token or token_urlsafe(24))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _equal(one: str, other: str) -> bool:
    return compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
