"""Log in: the token that `ragstone serve` printed, for a cookie. There only where another machine may knock."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard._guard import COOKIE, LOGIN, Pass
from ragstone.dashboard._views import view

router = APIRouter(include_in_schema=False)


@router.get(LOGIN)
def page(request: Request) -> Response:
    """Show the form."""
    return view(request, "login.html", wrong=False)


@router.post(LOGIN)
def enter(request: Request, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Give the cookie for the token."""
    door: Pass = request.app.state.door
    if not door.fits(token):
        return view(request, "login.html", 401, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, door.session, httponly=True, samesite="strict", path="/")
    return answer
