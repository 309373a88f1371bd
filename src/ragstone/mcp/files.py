"""Files that a client may name: those below one folder, wherever links lead."""

from dataclasses import dataclass
from pathlib import Path

from ragstone.errors import BadOption


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder below which files may be read.

    Attributes:
        path: the folder, without links.
    """

    path: Path

    @classmethod
    def at(cls, path: Path) -> "Folder":
        """Return the folder.

        Raises:
            BadOption: there is none.
        """
        if not path.is_dir():
            raise BadOption(f"--folder {path} is not a folder: name the folder that holds your datasets")
        return cls(path.resolve())

    def file(self, name: str) -> Path:
        """Return the file of that name.

        Raises:
            BadOption: there is none, or it is not below the folder.
        """
        path = self.path / name
        try:
            path = path.resolve()
            found = path.is_relative_to(self.path) and path.is_file()
        except (OSError, ValueError):  # too long, NUL, a circle of links
            found = False
        if not found:
            raise BadOption(f"There is no file {name[:200]!r} below {self.path}: name a file in that folder")
        return path
