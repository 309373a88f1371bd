"""The live web page and its API: runs in progress, cases, comparisons, human verdicts. It reads the store.

`routes/` has one module per page: its routes for people and, under `/api`, the same for scripts. `views/` computes
the values of templates, `services/` holds state that outlives a request, `security/` authenticates, `monitoring.py`
answers probes and Prometheus. Templates and style are in `templates/` and `static/`; third-party files and their
licences are in `static/vendor/`.
"""

from typing import TYPE_CHECKING, Any

from ragstone.lazy import lazy_exports
from ragstone.plugins import import_extra

if TYPE_CHECKING:
    from ragstone.dashboard.app import create_app
    from ragstone.dashboard.server import serve

_EXPORTS = {"create_app": "ragstone.dashboard.app", "serve": "ragstone.dashboard.server"}

__all__ = ["create_app", "serve"]

REQUIRED_MODULES = ("fastapi", "jinja2", "prometheus_client", "python_multipart", "uvicorn")
_load = lazy_exports(__name__, _EXPORTS)


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _EXPORTS:
        for module in REQUIRED_MODULES:
            import_extra("The web page", "serve", module)
    return _load(name)
