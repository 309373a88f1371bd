"""Exports of a package that are imported when they are first used.

`import ragstone` and every command start faster for it: what is not used is not imported. This module imports nothing
of ragstone, so that any package can use it, and nothing at all before it is used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_exports(package: str, places: "Mapping[str, str]") -> "Callable[[str], Any]":
    """Return the `__getattr__` of a package whose names are imported on first use.

    Args:
        package: the package's `__name__`.
        places: for each name the module that defines it; a name after a colon is the name it has there.
    """

    def __getattr__(name: str) -> "Any":  # noqa: ANN401, N807  (a module's attribute may be anything)
        from importlib import import_module  # noqa: PLC0415  (see above)

        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, original = places[name].partition(":")
        return getattr(import_module(module), original or name)

    return __getattr__
