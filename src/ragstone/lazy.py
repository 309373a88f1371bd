"""Exports of a package that are imported when they are first used.

`import ragstone` and every command start faster, because unused modules are not imported. This module imports nothing
from ragstone, so that any package can use it, and nothing at all before its first use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_exports(package: str, places: "Mapping[str, str]") -> "Callable[[str], Any]":
    """Return the `__getattr__` of a package whose names are imported on first use.

    Args:
        package: the package's `__name__`.
        places: name → the module that defines it, with `:name` if the name differs in that module.
    """

    def __getattr__(name: str) -> "Any":  # noqa: ANN401, N807  (a module's attribute may be anything)
        from importlib import import_module  # noqa: PLC0415  (see above)

        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, original = places[name].partition(":")
        return getattr(import_module(module), original or name)

    return __getattr__
