"""Find a member of a family by name: the table of built-ins, then entry points, then `package.module:Class`."""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from ragstone.errors import MissingExtra, UnknownName

_GROUPS = {"embedder": "ragstone.embeddings"}
"""Families whose group of entry points is not simply their plural: groups are called like the rooms."""


def installed(kind: str) -> dict[str, EntryPoint]:
    """Return the members of a family that installed packages bring, by name; none is imported.

    Args:
        kind: the family in the singular, such as `metric`; its group of entry points is `ragstone.metrics`.
    """
    return {point.name: point for point in entry_points(group=_GROUPS.get(kind, f"ragstone.{kind}s"))}


def load(path: str) -> Any:  # noqa: ANN401  (whatever stands there)
    """Return the object at `package.module:name`."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def find(kind: str, name: str, builtin: Mapping[str, str]) -> Any:  # noqa: ANN401
    """Return the member `name` of a family.

    Args:
        kind: the family in the singular, such as `metric`.
        name: what the user wrote.
        builtin: names of the built-in members, and where they stand.

    Raises:
        UnknownName: there is none, with the nearest known name.
        MissingExtra: it is there, but what it imports is not installed.
    """
    if name in builtin:
        return load(builtin[name])
    plugins = installed(kind)
    if name in plugins:
        return plugins[name].load()
    if ":" in name:
        return _load_users(kind, name)
    why = f"a module is called so: write {name}:Class." if _is_local_module(name) else ""
    raise UnknownName(kind, name, () if why else [*builtin, *plugins], why)


def _is_local_module(name: str) -> bool:
    """Return whether a module in the current folder is called so: then only its class is missing in the name."""
    return Path(f"{name}.py").is_file() or Path(name, "__init__.py").is_file()


def _load_users(kind: str, path: str) -> Any:  # noqa: ANN401
    try:
        return load(path)
    except (ModuleNotFoundError, AttributeError) as error:
        raise UnknownName(
            kind, path, (), f"{error}. Write package.module:Class of an importable module."
        ) from error


def import_extra(what: str, extra: str, module: str) -> Any:  # noqa: ANN401
    """Return the optional module `module`.

    Raises:
        MissingExtra: naming the line that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(what, extra) from error
