"""The file formats of a report, chosen by a file's suffix. Each is a module with `write(report, file)`.

An installed package adds a format with an entry point named like its suffix. Renderings are imported by name when they
are used, so values such as `Report` can offer them without importing them.
"""

from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from ragstone import plugins
from ragstone.atomic import atomic_write
from ragstone.errors import BadOption

FORMATS = {
    ".csv": "formats.csv",
    ".html": "run_html",
    ".json": "formats.json",
    ".jsonl": "formats.jsonl",
    ".md": "formats.markdown",
    ".parquet": "formats.parquet",
    ".xml": "formats.junit",
}
"""Module of each format by its suffix."""


class Renderable:
    """A value that can be shown: `ragstone.show` has a module that builds its document, and its values for JSON."""

    subject: ClassVar[str]
    """The module below `ragstone.show`."""

    def to_markdown(self) -> str:
        """Return it as Markdown, fit for a pull request."""
        return showing("render.markdown").render(self.document())

    def to_html(self) -> str:
        """Return it as one HTML file without external resources."""
        return showing("render.html").render(self.document())

    def to_json(self) -> str:
        """Return it as a JSON document."""
        values = getattr(showing(self.subject), "values", vars)
        return showing("render.json").render(values(self))

    def document(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401  (a `Document`, and how much it holds)
        """Return it as a document, see `ragstone.show.document`; the options are those of its module."""
        return showing(self.subject).document(self, *arguments, **options)


def showing(name: str) -> Any:  # noqa: ANN401  (a module)
    """Return a module below `ragstone.show`, imported when it is first used: values do not know how they are shown."""
    return import_module(f"ragstone.show.{name}")


def check_output(path: str | Path) -> None:
    """Check, before anything is measured, that a report can be written to `path`.

    Raises:
        BadOption: no format has that suffix, the folder does not exist, or `path` is a folder.
        MissingExtra: the format needs an optional dependency.
    """
    target = Path(path)
    module = _find_format(target)
    if target.is_dir():
        raise BadOption(f"{target} is a folder: give the name of a file in it")
    if not target.parent.is_dir():
        raise BadOption(
            f"{target}: there is no folder {target.parent}; create it first, or give another path"
        )
    require = getattr(module, "require", None)
    if require is not None:
        require()


def write(report: Any, path: str | Path) -> None:  # noqa: ANN401  (a `Report`, which imports this module)
    """Write a report in the format that the suffix of `path` names. After a failure the file is unchanged.

    Raises:
        BadOption: no format has that suffix.
        MissingExtra: the format needs an optional dependency.
        OSError: the file cannot be written.
    """
    target = Path(path)
    module = _find_format(target)
    with atomic_write(target) as file:
        module.write(report, file)


def _find_format(path: Path) -> Any:  # noqa: ANN401  (a module, or a package's object, with `write`)
    suffix = path.suffix.lower()
    if suffix in FORMATS:
        return showing(FORMATS[suffix])
    installed = {f".{name}": point for name, point in plugins.installed("report").items()}
    if suffix in installed:
        return installed[suffix].load()
    suffixes = ", ".join([*FORMATS, *installed])
    raise BadOption(f"{path}: there is no report format with the suffix {suffix!r}. Use one of {suffixes}")
