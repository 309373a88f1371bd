"""The live web page and its API: runs while they go, cases, comparisons, people's verdicts. It reads the store.

Each plain file is one page, named after it: its routes for people, and under `/api` the same for scripts. Templates and
style are in `templates/` and `static/`; released files of others, with their licences, in `static/vendor/`.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.dashboard.app import create_app
    from ragstone.dashboard.server import serve

_PLACES = {
    "create_app": "ragstone.dashboard.app:create_app",
    "serve": "ragstone.dashboard.server:serve",
}

__all__ = ["create_app", "serve"]

__getattr__ = lazy_exports(__name__, _PLACES)
