"""The file of people: who has which role. It is read again when it has changed."""

import tomllib
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from platformdirs import user_data_path
from pydantic import BaseModel, Field, ValidationError

from ragstone.errors import BadOption

EVERYBODY = "*"  # stands in the file for everybody whom the proxy names
PersonRole = Literal["reader", "annotator", "owner"]
_MAX_BYTES = 1_000_000
_EXAMPLE = '[people]\nada = "owner"\nben = "annotator"\n"*" = "reader"'


class People(BaseModel, frozen=True, extra="forbid"):
    """The people who have access through a proxy, as `people.toml` lists them.

    Attributes:
        people: name → role; `*` is everybody else whom the proxy names.
        hosts: names in the `Host` header of the proxy's requests, besides `localhost` and IP addresses.
    """

    people: dict[Annotated[str, Field(min_length=1, max_length=80)], PersonRole]
    hosts: frozenset[str] = frozenset()

    def role(self, name: str) -> PersonRole | None:
        """Return the role of a person; None for somebody who has no access."""
        return self.people.get(name) or self.people.get(EVERYBODY)


def default_people() -> Path:
    """Return the default file of people."""
    return user_data_path("ragstone") / "people.toml"


class PeopleFile:
    """A file of people, read again when its size, time or inode has changed."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            BadOption: it cannot be read, or is not valid.
        """
        self.path = path
        self._lock = Lock()
        self._read: tuple[object, People] = (None, People(people={}))
        self.current()

    def current(self) -> People:
        """Return the people as the file lists them now.

        Raises:
            BadOption: it cannot be read any more, or is not valid any more.
        """
        try:
            with self._lock:
                found, (state, people) = self.path.stat(), self._read
                now = found.st_mtime_ns, found.st_size, found.st_ino
                if now != state:
                    with self.path.open("rb") as file:
                        text = file.read(_MAX_BYTES).decode()
                    people = People.model_validate(tomllib.loads(text))
                    self._read = (now, people)
                return people
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise BadOption(_problem(self.path, f"{place}: {first['msg']}")) from error
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            raise BadOption(_problem(self.path, problem)) from error


def _problem(path: Path, problem: str) -> str:
    return f"{path} is not a file of people: {problem}. It is TOML such as\n{_EXAMPLE}"
