"""A server of the Model Context Protocol: coding agents find runs, compare them, read cases and start runs.

`tools.py` has one method per tool, `results.py` the typed answers, `texts.py` the bar behind which the texts of others
stand, `estimates.py` the runs that may start. Over HTTP, `http.py` puts it behind the token of the web page.
"""

from typing import TYPE_CHECKING, Any

from ragstone.dashboard import REQUIRED_MODULES
from ragstone.lazy import lazy_exports
from ragstone.plugins import import_extra

if TYPE_CHECKING:
    from ragstone.mcp.http import serve_http
    from ragstone.mcp.server import create_server, serve_stdio

_EXPORTS = {
    "create_server": "ragstone.mcp.server",
    "serve_http": "ragstone.mcp.http",
    "serve_stdio": "ragstone.mcp.server",
}

__all__ = ["create_server", "serve_http", "serve_stdio"]

_REQUIRED_MODULES = ("mcp.server.mcpserver", *REQUIRED_MODULES)
_load = lazy_exports(__name__, _EXPORTS)


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _EXPORTS:
        for module in _REQUIRED_MODULES:
            import_extra("The MCP server", "mcp", module)
    return _load(name)
