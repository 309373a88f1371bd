"""Log in: the token that `ragstone serve` printed, for a cookie. There only where another machine may knock."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.security.auth import COOKIE, Credentials
from ragstone.dashboard.security.login_page import LOGIN, login_page

router = APIRouter(include_in_schema=False)


@router.get(LOGIN)
def page() -> Response:
    """Show the form."""
    return login_page()


@router.post(LOGIN)
def enter(request: Request, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Give the cookie for the token."""
    credentials: Credentials = request.app.state.credentials
    if not credentials.fits(token):
        return login_page(401, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, credentials.session, httponly=True, samesite="strict", path="/")
    return answer
