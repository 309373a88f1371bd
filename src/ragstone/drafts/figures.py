"""The figures of a drafted test set: its yields and what it covers. Written beside the set, for reports to read.

The set itself does not tell what it leaves out: documents without a question are in no row.
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
        corpus: 16 hexadecimal digits for the passages.
        yields: what became of the candidates.
        coverage: what the set covers.
    """

    written_by: str
    corpus: str
    yields: YieldTable
    coverage: DraftCoverage

    @property
    def size(self) -> int:
        """How many questions were kept."""
        return sum(self.yields.kept.values())

    def fit(self, cases: Iterable[TestCase]) -> bool:
        """Return whether these are the figures of a set: drafted from the same passages, with as many questions."""
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
    """Return where the figures of the set at `draft` are: `draft.figures.json`."""
    return draft.with_suffix(".figures.json")


def read_figures(draft: Path) -> DraftFigures | None:
    """Return the figures of the set at `draft`; None where there are none.

    Raises:
        BadDataset: the file holds something else.
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
            f"{path} does not hold the figures of a draft ({error!r}): delete it, or draft the set anew."
        ) from None
