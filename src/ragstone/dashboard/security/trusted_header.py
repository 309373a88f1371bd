"""Login by a proxy: it authenticates people, and names them in a header, which is accepted only from its address."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from ragstone.dashboard.security.people import PeopleFile, PersonRole
from ragstone.dashboard.security.refused import Refused
from ragstone.errors import BadOption
from ragstone.store.read.audit_log import Actor

Network = IPv4Network | IPv6Network
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_MAX_NAME = 80
_LEAST_PREFIX = 8
"""Bits of the widest network that may be named: 10.0.0.0/8 is one network, 0.0.0.0/1 half of all addresses."""
_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")
_COMMON_HEADERS = frozenset({"accept", "authorization", "cookie", "host", "origin", "user-agent"})


@dataclass(frozen=True, slots=True)
class TrustedHeader:
    """The header in which proxies name the person who makes a request.

    Attributes:
        header: its name, such as `X-Forwarded-User`.
        proxies: addresses of the proxies; from any other address the header is refused.
        people: roles of the people.
    """

    header: str
    proxies: tuple[Network, ...]
    people: PeopleFile

    def person(self, address: str, headers: Headers) -> Actor | None:
        """Return the person that a proxy names; None if the request does not have the header, or it is empty.

        Raises:
            Refused: the header does not come from a proxy, or is not valid; or the person has no role.
        """
        values = headers.getlist(self.header)
        if not values:
            return None
        if not self._is_proxy(address):
            raise Refused(
                403,
                f"The header {self.header} is accepted only from the proxy that --from names, not from "
                f"{address or 'no address'}. Log in through the proxy, or send a token and not this header.",
            )
        if len(values) > 1:
            raise Refused(
                400, f"The header {self.header} was sent {len(values)} times: the proxy must replace it."
            )
        name = self._name(values[0])
        return Actor("person", name, self._role(name, headers), address) if name else None

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        return any(found in network for network in self.proxies)

    def _name(self, value: str) -> str:
        """Return the name in a header's value, which Starlette decodes as Latin-1 and proxies encode as UTF-8."""
        try:
            name = value.encode("latin-1").decode().strip()
        except UnicodeDecodeError:
            name = "\0"
        if len(name) > _MAX_NAME or not name.isprintable():
            raise Refused(
                400,
                f"The header {self.header} is not a name: it must be UTF-8, at most {_MAX_NAME} characters.",
            )
        return name

    def _role(self, name: str, headers: Headers) -> PersonRole:
        try:
            people = self.people.current()
        except BadOption as error:
            message = "Nobody can log in through the proxy now: the file of people cannot be read. The log says why."
            raise Refused(503, message, str(error)) from error
        host = host_of(headers)
        if not (_is_own_host(host) or host in people.hosts):
            raise Refused(
                421,
                f"The proxy sends requests for the host {host!r}, which is not in `hosts` of the file of people.",
                f'If it is the name of the page, write hosts = ["{host}"] at the top of {self.people.path}.',
            )
        role = people.role(name)
        if role is None:
            raise Refused(
                403,
                f"You are logged in as {name!r}, who has no role here: an owner adds you to the file of people.",
            )
        return role


def check_header(name: str) -> str:
    """Return the name of a header.

    Raises:
        BadOption: it is not one, or a header that every browser sends.
    """
    if not _HEADER.fullmatch(name) or name.lower() in _COMMON_HEADERS:
        raise BadOption(
            f"{name[:100]!r} is not a header for the names of people: write one such as X-Forwarded-User."
        )
    return name


def read_proxies(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return the networks that addresses such as `127.0.0.1`, `10.1.0.0/16` or `::1` name.

    Raises:
        BadOption: one is not an address, or names more addresses than a /8 network has.
    """
    found: list[Network] = []
    for text in (part.strip() for each in texts for part in each.split(",")):
        try:
            network = ip_network(text)
        except ValueError as error:
            raise BadOption(
                f"{text!r} is not the address of a proxy: {error}. Write 127.0.0.1 or 10.1.0.0/16."
            ) from error
        if network.prefixlen < _LEAST_PREFIX:
            raise BadOption(
                f"{text!r} is a large part of all addresses: name the address of the proxy, such as 127.0.0.1."
            )
        found.append(network)
    return tuple(found)


def host_of(headers: Headers) -> str:
    """Return the host of a request's Host header, without its port; empty if it is not valid."""
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:  # no address at all
        return ""


def _is_own_host(host: str) -> bool:
    """Return whether no other site can own a host: `localhost`, or an IP address, which no name stands for."""
    with suppress(ValueError):
        return bool(ip_address(host))
    return host in LOCAL_HOSTS
