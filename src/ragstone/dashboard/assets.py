"""Style sheets and scripts, read once from the package and served from memory: no request names a file.

Their URL contains a hash of their content, so browsers may cache them for good.
"""

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import NamedTuple

from fastapi import APIRouter, HTTPException
from starlette.responses import Response

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_CACHE_CONTROL = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file as it is sent: its bytes, its media type, and a hash of its content as its version."""

    content: bytes
    kind: str
    version: str


@cache
def assets() -> dict[str, Asset]:
    """Return every asset by its name."""
    static = files("ragstone.dashboard") / "static"
    found = {
        file.name: (_TYPES.get(file.name.rpartition(".")[2]), file)
        for file in (*static.iterdir(), *(static / "vendor").iterdir())
    }
    return {
        name: Asset(content, kind, blake2b(content, digest_size=6).hexdigest())
        for name, (kind, file) in found.items()
        if kind is not None
        for content in [file.read_bytes()]
    }


def address(name: str) -> str:
    """Return the URL of an asset."""
    return f"/static/{assets()[name].version}/{name}"


router = APIRouter(include_in_schema=False)


@router.get("/static/{version}/{name}")
def asset(version: str, name: str) -> Response:
    """Send an asset."""
    entry = assets().get(name)
    if entry is None or entry.version != version:
        raise HTTPException(404, f"There is no file {name} of version {version} here.")
    return Response(entry.content, media_type=entry.kind, headers={"Cache-Control": _CACHE_CONTROL})
