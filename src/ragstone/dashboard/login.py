"""Log in: the token that `ragstone serve` printed, for a cookie. There only where another machine may knock."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard._guard import COOKIE, Pass
from ragstone.dashboard._login_page import LOGIN, login_page

router = APIRouter(include_in_schema=False)


@router.get(LOGIN)
def page() -> Response:
    """Show the form."""
    return login_page()


@router.post(LOGIN)
def enter(request: Request, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Give the cookie for the token."""
    door: Pass = request.app.state.door
    if not door.fits(token):
        return login_page(401, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, door.session, httponly=True, samesite="strict", path="/")
    return answer
