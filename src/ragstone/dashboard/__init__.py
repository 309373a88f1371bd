"""The live web page and its API: runs while they go, cases, comparisons, people's verdicts. It reads the store.

Each plain file is one page, named after it: its routes for people, and under `/api` the same for scripts. Templates and
style are in `templates/` and `static/`; released files of others, with their licences, in `static/vendor/`.
"""

from typing import TYPE_CHECKING, Any

from ragstone.plugins import load

if TYPE_CHECKING:
    from ragstone.dashboard.app import create_app
    from ragstone.dashboard.server import serve

_PLACES = {
    "create_app": "ragstone.dashboard.app:create_app",
    "serve": "ragstone.dashboard.server:serve",
}

__all__ = ["create_app", "serve"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        return load(_PLACES[name])
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
