"""Lookup of a metric, judge or other component by name: built-ins, then entry points, then `package.module:Class`."""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from pathlib import Path
from typing import Any

from ragstone.errors import MissingExtra, UnknownName
from ragstone.permissions import allow_import

_ENTRY_POINT_GROUPS = {"embedder": "ragstone.embeddings"}
"""Kinds whose group of entry points is not their plural: groups are named after the packages."""


def installed(kind: str) -> dict[str, EntryPoint]:
    """Return the components of a kind from installed packages, by name; none is imported.

    Args:
        kind: the kind in the singular, such as `metric`; its group of entry points is `ragstone.metrics`.
    """
    return {
        point.name: point for point in entry_points(group=_ENTRY_POINT_GROUPS.get(kind, f"ragstone.{kind}s"))
    }


def load(path: str) -> Any:  # noqa: ANN401  (any object)
    """Return the object at `package.module:name`, a path that ragstone itself wrote; the name may have dots."""
    module, _, name = path.partition(":")
    return attrgetter(name)(import_module(module))


def load_named(kind: str, path: str) -> Any:  # noqa: ANN401  (any object)
    """Return the object at `package.module:name`, a path that somebody wrote.

    Raises:
        UsageError: a command runs whose user did not write the path, and does not trust the project.
    """
    allow_import(kind, path)
    return load(path)


def find(kind: str, name: str, builtin: Mapping[str, str]) -> Any:  # noqa: ANN401
    """Return the component `name` of a kind.

    Args:
        kind: the kind in the singular, such as `metric`.
        name: the name that the user wrote.
        builtin: name → import path of the built-in components.

    Raises:
        UnknownName: there is none; the message suggests the nearest known name.
        MissingExtra: it exists, but a module that it imports is not installed.
        UsageError: it is somebody else's code; see `load_named`.
    """
    if name in builtin:
        return load(builtin[name])
    plugins = installed(kind)
    if name in plugins:
        return plugins[name].load()
    if ":" in name:
        try:
            return load_named(kind, name)
        except (ModuleNotFoundError, AttributeError) as error:
            hint = f"{error}. Write package.module:Class of an importable module."
            raise UnknownName(kind, name, (), hint) from error
    why = f"this is the name of a module: write {name}:Class." if is_local_module(name) else ""
    raise UnknownName(kind, name, () if why else [*builtin, *plugins], why)


def is_local_module(name: str) -> bool:
    """Return whether the current folder has a module of that name: then only the class is missing in the name."""
    return Path(f"{name}.py").is_file() or Path(name, "__init__.py").is_file()


def import_extra(what: str, extra: str, module: str) -> Any:  # noqa: ANN401
    """Return the optional module `module`.

    Raises:
        MissingExtra: naming the line that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(what, extra) from error
