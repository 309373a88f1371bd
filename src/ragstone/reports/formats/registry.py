"""The file formats of a report, chosen by a file's suffix. Each is a module here with `write(report, file)`.

An installed package brings one of its own as an entry point that is called like its suffix.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from ragstone import plugins
from ragstone.errors import BadOption
from ragstone.reports.formats.atomic import atomic_write
from ragstone.reports.report import Report

FORMATS = {
    ".csv": "formats.csv",
    ".html": "html.report",
    ".json": "formats.json",
    ".jsonl": "formats.jsonl",
    ".md": "formats.markdown",
    ".parquet": "formats.parquet",
    ".xml": "formats.junit",
}
"""Suffix and module."""


def check_output(path: str | Path) -> None:
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
    with atomic_write(target) as file:
        module.write(report, file)


def _format(path: Path) -> Any:  # noqa: ANN401  (a module, or a package's object, with `write`)
    suffix = path.suffix.lower()
    if suffix in FORMATS:
        return import_module(f"ragstone.reports.{FORMATS[suffix]}")
    brought = {f".{name}": point for name, point in plugins.installed("report").items()}
    if suffix in brought:
        return brought[suffix].load()
    known = ", ".join([*FORMATS, *brought])
    raise BadOption(f"{path}: no report has the suffix {suffix!r}: write one of {known}")
