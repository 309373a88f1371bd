"""The file formats of a report, chosen by a file's suffix. Each is a module here with `write(report, file)`."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from ragstone.errors import BadOption
from ragstone.reports._atomic import replacing
from ragstone.reports._report import Report

FORMATS = {
    ".csv": "csv",
    ".html": "html",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".parquet": "parquet",
    ".xml": "junit",
}
"""Suffix and module."""


def check(path: str | Path) -> None:
    """Make sure, before anything is measured, that a report can be written to `path`.

    Raises:
        BadOption: no format has that suffix, the folder does not exist, or `path` is a folder.
        MissingExtra: the format needs an optional dependency.
    """
    target = Path(path)
    module = _format(target)
    if target.is_dir():
        raise BadOption(f"{target} is a folder: write the name of a file in it")
    if not target.parent.is_dir():
        raise BadOption(f"{target}: there is no folder {target.parent}; make it first, or write another path")
    require = getattr(module, "require", None)
    if require is not None:
        require()


def write(report: Report, path: str | Path) -> None:
    """Write a report in the format that the suffix of `path` names: wholly, or not at all.

    Raises:
        BadOption: no format has that suffix.
        MissingExtra: the format needs an optional dependency.
        OSError: the file cannot be written.
    """
    target = Path(path)
    module = _format(target)
    with replacing(target) as file:
        module.write(report, file)


def _format(path: Path) -> ModuleType:
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise BadOption(f"{path}: no report has the suffix {suffix!r}: write one of {', '.join(FORMATS)}")
    return import_module(f"ragstone.reports.{FORMATS[suffix]}")
