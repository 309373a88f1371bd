"""Search for configuration files, and the decision which of them to trust.

A project's file is the nearest one from the current folder upwards, up to the root of its repository. A file that
belongs to another user is ignored: in a shared folder such as /tmp it could control where keys are sent.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_config_path

from ragstone.errors import UsageError

FILE, TABLE = "ragstone.toml", "tool.ragstone"
_PATH_SETTINGS = ("store", "cache")
_ROOT_MARKS = (".git", ".hg", ".svn")


class Layer(NamedTuple):
    """The settings of one source: a file, variable or flag; `project` is the folder of a project's file, else None."""

    source: str
    values: dict[str, Any]
    project: Path | None = None


def user_file() -> Path:
    """Return the place of the user's own configuration file."""
    return user_config_path("ragstone") / FILE


def find_files(start: Path, variables: Mapping[str, str]) -> tuple[list[Layer], list[str]]:
    """Return the user's own file and the project's file, and messages on ignored files.

    `RAGSTONE_CONFIG` replaces the project's file.
    """
    user_path = user_file()
    layers = [_read(user_path)] if user_path.is_file() else []
    config_path = variables.get("RAGSTONE_CONFIG")
    if config_path:
        return [*layers, _read(Path(config_path))], []
    ignored: list[str] = []
    above_root = False
    for path in _candidates(start):
        if path is None:
            above_root = True
            continue
        layer = _read(path)._replace(project=path.resolve().parent)
        if not layer.values or path == user_path:
            continue
        problem = _problem(path, above_root=above_root)
        if problem is None:
            return [*layers, layer], ignored
        ignored.append(f"{path} is ignored: {problem}. Set RAGSTONE_CONFIG={path} to read it.")
    return layers, ignored


def _candidates(start: Path) -> Iterator[Path | None]:
    """Yield the files from a folder upwards, with None after those in the root of a repository."""
    folder = start.resolve()
    for parent in (folder, *folder.parents):
        yield from (path for name in (FILE, "pyproject.toml") if (path := parent / name).is_file())
        if any((parent / marker).exists() for marker in _ROOT_MARKS):
            yield None


def _problem(path: Path, *, above_root: bool) -> str | None:
    """Return why a file is ignored; None if it is read."""
    if above_root:
        return "it lies above the root of the repository"
    if not hasattr(os, "geteuid"):  # Windows keeps owners elsewhere
        return None
    trusted = {os.geteuid(), 0, int(os.environ.get("SUDO_UID") or 0)}
    owners = {path.lstat().st_uid, path.stat().st_uid}
    return None if owners <= trusted else "it belongs to another user"


def _read(path: Path) -> Layer:
    """Return the settings of a file; of a `pyproject.toml`, only the table `[tool.ragstone]` is read."""
    import tomllib  # noqa: PLC0415  (many commands find no file)

    is_ragstone_file = path.name != "pyproject.toml"
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"The configuration {path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        if not is_ragstone_file:  # the project's other tools report it
            return Layer(str(path), {})
        raise UsageError(f"The configuration {path} is not TOML: {error}.") from error
    if is_ragstone_file:
        return Layer(str(path), _with_paths(table, path.resolve().parent))
    values = table.get("tool", {}).get("ragstone", {})
    return Layer(f"{path} [{TABLE}]", _with_paths(values, path.resolve().parent))


def _with_paths(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the values with paths resolved against the file's folder, so that the current folder does not matter."""
    paths = {
        name: str(folder / Path(value).expanduser())
        for name in _PATH_SETTINGS
        if isinstance(value := values.get(name), str) and value and "://" not in value
    }
    return {**values, **paths}
