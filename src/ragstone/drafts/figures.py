"""The figures of a drafted test set: yields and coverage. They are stored in a file next to the set, for reports.

They cannot be computed from the set itself: documents without a question are in no row.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ragstone.case import TestCase
from ragstone.drafts.coverage import DraftCoverage
from ragstone.drafts.yields import YieldTable
from ragstone.errors import BadDataset


@dataclass(frozen=True)
class DraftFigures:
    """Figures of a draft.

    Attributes:
        written_by: `rules`, or the name of the judge that wrote the questions.
        corpus: hash of the passages, 16 hexadecimal digits.
        yields: counts of candidates tried, rejected and kept.
        coverage: the coverage of the corpus.
    """

    written_by: str
    corpus: str
    yields: YieldTable
    coverage: DraftCoverage

    @property
    def size(self) -> int:
        """Number of questions kept."""
        return sum(self.yields.kept.values())

    def fit(self, cases: Iterable[TestCase]) -> bool:
        """Return whether the figures belong to these cases: drafted from the same passages, and the same number."""
        corpora = [str(case.metadata["draft"].get("corpus")) for case in cases]
        return set(corpora) == {self.corpus} and len(corpora) == self.size

    def to_json(self) -> str:
        """Return the figures as JSON; equal figures give equal text."""
        values = {
            "written_by": self.written_by,
            "corpus": self.corpus,
            "yields": self.yields.stored(),
            "coverage": self.coverage.stored(),
        }
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def figures_path(draft: Path) -> Path:
    """Return the path of the figures of the set at `draft`: `draft.figures.json`."""
    return draft.with_suffix(".figures.json")


def read_figures(draft: Path) -> DraftFigures | None:
    """Return the figures of the set at `draft`; None if the file does not exist.

    Raises:
        BadDataset: the file cannot be read, or does not hold figures.
    """
    path = figures_path(draft)
    if not path.exists():
        return None
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return DraftFigures(
            str(values["written_by"]),
            str(values["corpus"]),
            YieldTable.read(values["yields"]),
            DraftCoverage.read(values["coverage"]),
        )
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadDataset(
            f"{path} does not contain the figures of a draft ({error!r}): delete it, or draft the set again."
        ) from None
