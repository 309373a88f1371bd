"""The addresses in a project's file: nothing is sent to a host that the user does not trust.

A store receives the passwords that PostgreSQL's client finds (PGPASSWORD, ~/.pgpass) and the texts of the runs; a Ray
cluster receives the test cases and runs code of ours. Only addresses of a plain form are read here, so that no other
reader of the same text can find another host in it.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from ragstone.config.files import user_file
from ragstone.errors import BadOption
from ragstone.permissions import untrusted_host

_SENT = {
    "store": "your runs, and the password of the environment or of ~/.pgpass, would be sent there",
    "cache": "the judge's answers would be sent there",
    "ray_address": "your test cases and the judge would be sent there",
}
"""The settings that may contain an address, and what is sent there."""

_HOST = r"(?:[\w.\-]+|\[[\da-fA-F:.]+\])(?::\d*)?"
_URL = re.compile(
    rf"[\w+]+://(?:[\w.%\-]+(?::[^@/?#\s\\]*)?@)?(?P<hosts>{_HOST}(?:,{_HOST})*)?(?P<database>/[\w./%\-]*)?"
    r"(?:\?(?P<query>[^#\s]*))?"
)
_RAY = re.compile(rf"(?:ray://)?(?P<host>{_HOST})")
_NOT_HOSTS = frozenset({"port", "user", "application_name", "connect_timeout", "sslmode"})
"""Parameters of PostgreSQL's URLs from which no host can follow."""


def refuse_untrusted_addresses(
    values: Mapping[str, Any], sources: Mapping[str, str], trusted: Collection[str]
) -> None:
    """Refuse hosts in a project's settings that the user does not trust, and addresses of no plain form."""
    for name in _SENT.keys() & values.keys():
        text = values[name]
        for host in _hosts(name, text) if isinstance(text, str) else ():
            if host is None:
                raise BadOption(
                    f"{name}: {sources[name]} contains an address that is not read from a project's file. Write it in "
                    f"{user_file()}, or in RAGSTONE_{name.upper()}."
                )
            if host not in trusted:
                raise BadOption(untrusted_host(f"{name}: {sources[name]}", host, user_file(), _SENT[name]))


def _hosts(name: str, text: str) -> Iterator[str | None]:
    """Yield the hosts of an address, and None for a part that cannot be read; nothing for a file of this machine."""
    if name == "ray_address":
        if text not in {"", "auto", "local"}:
            found = _RAY.fullmatch(text)
            yield _without_port(found["host"]) if found else None
        return
    file = text.removeprefix("sqlite:///").replace("\\", "/")
    if file.startswith("//"):  # a folder of another machine, on Windows
        yield file.strip("/").partition("/")[0]
    if "://" not in file:
        return
    found = _URL.fullmatch(text)
    if found is None or re.search(r"[=:\s]", unquote(found["database"] or "")):
        yield None
        return
    yield from map(_without_port, (found["hosts"] or "").split(",") if found["hosts"] else ())
    for parameter, value in parse_qsl(found["query"] or "", keep_blank_values=True):
        if parameter in {"host", "hostaddr"}:
            yield from value.split(",")
        elif parameter not in _NOT_HOSTS:
            yield None


def _without_port(host: str) -> str:
    return re.sub(r":\d*$", "", host).strip("[]").lower()
