"""The figures of a drafted test set: yields and coverage. They are stored in a file next to the set, for reports.

They cannot be computed from the set itself: documents without a question are in no row.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ragstone.case import TestCase, describe_invalid
from ragstone.drafts.candidate import QuestionKind
from ragstone.drafts.checks.outcome import CheckName
from ragstone.drafts.coverage import DraftCoverage
from ragstone.errors import BadDataset


@dataclass(frozen=True)
class YieldTable:
    """Counts of a draft.

    Attributes:
        asked: number of questions requested.
        candidates: number of candidates available, by kind.
        tried: number of candidates tried, by kind.
        unwritten: number of candidates that the judge could not write, by kind.
        rejected: number of candidates rejected, by check; a candidate counts for each check that it failed.
        unchecked: number of kept questions with the verdict `?`, by check.
        duplicates: number of duplicates of kept questions.
        kept: number of questions kept, by kind.
        calls: calls of the judge, including repeated ones and those answered from the journal.
        cost: US dollars; None if a price is not known.
        stopped: why drafting ended early; empty if it did not.
    """

    asked: int
    candidates: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    tried: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    unwritten: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    rejected: Counter[CheckName] = field(default_factory=Counter[CheckName])
    unchecked: Counter[CheckName] = field(default_factory=Counter[CheckName])
    duplicates: int = 0
    kept: Counter[QuestionKind] = field(default_factory=Counter[QuestionKind])
    calls: int = 0
    cost: float | None = 0.0
    stopped: str = ""

    @property
    def complete(self) -> bool:
        """Whether as many questions were kept as were wanted."""
        return sum(self.kept.values()) >= self.asked


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
        return json.dumps(_adapter().dump_python(self, mode="json"), ensure_ascii=False, indent=1) + "\n"


@cache
def _adapter() -> TypeAdapter[DraftFigures]:
    return TypeAdapter(DraftFigures)


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
        return _adapter().validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        problem = describe_invalid(error) if isinstance(error, ValidationError) else repr(error)
        raise BadDataset(
            f"{path} does not contain the figures of a draft ({problem}): delete it, or draft the set again."
        ) from None
