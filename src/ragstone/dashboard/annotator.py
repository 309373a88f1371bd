"""Who annotates: a name that a browser remembers. It is no login; it only keeps several people's words apart."""

from typing import Annotated
from urllib.parse import quote, unquote

from fastapi import Depends, Request
from starlette.responses import Response

COOKIE = "ragstone_annotator"
LONGEST_NAME = 80
_A_YEAR = 365 * 24 * 3600


def clean_name(text: str) -> str:
    """Return a name as it is kept: on one line, not too long."""
    return " ".join(text.split())[:LONGEST_NAME].strip()


def _person(request: Request) -> str:
    return clean_name(unquote(request.cookies.get(COOKIE, "")))


AnnotatorDep = Annotated[str, Depends(_person)]
"""A parameter of this type is the name that the browser remembers; empty where it remembers none."""


def remember(answer: Response, name: str) -> Response:
    """Let the browser remember a name."""
    answer.set_cookie(COOKIE, quote(name), max_age=_A_YEAR, path="/", httponly=True, samesite="strict")
    return answer
