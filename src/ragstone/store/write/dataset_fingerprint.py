"""Fingerprints of a run's dataset, so that resuming with another one is refused, with the place where it differs."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path

from sqlalchemy import Engine, select

from ragstone.errors import BadDataset
from ragstone.store.schema.tables import RUN_DATASETS
from ragstone.store.write.aggregates import insert_into

_SIZE = 8  # bytes of a fingerprint
_CHUNK = 2**20  # bytes of a line that are read at once, so that memory stays flat


@dataclass(frozen=True, slots=True)
class DatasetFingerprint:
    """The fingerprint of a dataset when a run began.

    Attributes:
        unit: what is fingerprinted: `row`, or `line` of a file too large to be read twice.
        fingerprints: those of all units in order, eight bytes each.
        row_limit: how many rows were to be read at most; None for all.
    """

    unit: str
    fingerprints: bytes
    row_limit: int | None

    @classmethod
    def of_rows(cls, rows: Iterable[str], row_limit: int | None) -> "DatasetFingerprint":
        """Return the fingerprint of rows, each as text."""
        return cls("row", b"".join(_hash(row.encode("utf-8", "surrogatepass")) for row in rows), row_limit)

    @classmethod
    def of_file(cls, path: Path, row_limit: int | None) -> "DatasetFingerprint":
        """Return the fingerprint of a file, read line by line."""
        with path.open("rb") as file:
            lines = iter(partial(file.readline, _CHUNK), b"")
            return cls("line", b"".join(map(_hash, lines)), row_limit)

    def check_same(self, other: "DatasetFingerprint") -> None:
        """Compare with the dataset that a run was begun with.

        Raises:
            BadDataset: it is another; the message names the first row that differs.
        """
        if self.row_limit != other.row_limit:
            raise BadDataset(
                f"The run was started with {_limit_text(other.row_limit)}, and cannot be resumed with "
                f"{_limit_text(self.row_limit)}: give the same limit, or start a new run."
            )
        if self.unit != other.unit:
            raise BadDataset(f"The dataset is not the one that the run was started with. {_ADVICE}")
        differs = next((i for i, pair in enumerate(zip_longest(self, other), 1) if pair[0] != pair[1]), None)
        if differs is None:
            return
        now, before = len(self), len(other)
        if differs <= min(now, before):
            what = f"{self.unit} {differs} differs"
        else:
            what = f"{self.unit} {differs} is new" if now > before else f"it ends at {self.unit} {now}"
        counted = "" if now == before else f" (it has {now} {self.unit}s now, and had {before} before)"
        raise BadDataset(
            f"The dataset is not the one that the run was started with: {what}{counted}. {_ADVICE}"
        )

    def first(self, units: int) -> "DatasetFingerprint":
        """Return the fingerprint of the first units, as read with a limit of as many rows."""
        return DatasetFingerprint(self.unit, self.fingerprints[: units * _SIZE], units)

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.fingerprints) // _SIZE

    def __iter__(self) -> Iterator[bytes]:
        """Yield the fingerprints."""
        return (self.fingerprints[start : start + _SIZE] for start in range(0, len(self.fingerprints), _SIZE))


_ADVICE = "Resume it with the dataset it was started with, or start a new run."


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=_SIZE).digest()


def _limit_text(row_limit: int | None) -> str:
    return "all rows" if row_limit is None else f"a limit of {row_limit} rows"


def read_fingerprint(engine: Engine, number: int) -> DatasetFingerprint | None:
    """Return the fingerprint of a run's dataset; None if none was stored (a stream, or a run of an older ragstone)."""
    with engine.connect() as connection:
        row = connection.execute(select(RUN_DATASETS).where(RUN_DATASETS.c.run == number)).first()
    return DatasetFingerprint(row.unit, bytes(row.fingerprints), row.row_limit) if row else None


def write_fingerprint(engine: Engine, number: int, fingerprint: DatasetFingerprint) -> None:
    """Keep the fingerprint of a run's dataset, unless there is one."""
    row = {"run": number} | asdict(fingerprint)
    with engine.begin() as connection:
        connection.execute(insert_into(connection, RUN_DATASETS).on_conflict_do_nothing(), [row])
