"""The Host header of requests: a web site that points its name at this machine (DNS rebinding) is refused by it."""

from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def host_of(headers: Headers) -> str:
    """Return the host of a request's Host header, without its port; empty if it is not valid."""
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:  # no address at all
        return ""


def is_own_host(host: str) -> bool:
    """Return whether no other site can own a host: `localhost`, or an IP address, which no name stands for."""
    with suppress(ValueError):
        return bool(ip_address(host))
    return host in LOCAL_HOSTS
