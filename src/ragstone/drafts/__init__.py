"""Test sets drafted from documents: questions, expected outputs, relevant passages, and the outcomes of the checks.

Each question is based on a verbatim quote. See `docs/how-to/draft-a-test-set.md` for usage.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.drafts.coverage import CoverageLine, DraftCoverage
    from ragstone.drafts.drafting import DraftSet, adraft, draft
    from ragstone.drafts.figures import DraftFigures, YieldTable
    from ragstone.drafts.passage import DraftPassage

_EXPORTS = {
    "CoverageLine": "ragstone.drafts.coverage",
    "DraftCoverage": "ragstone.drafts.coverage",
    "DraftFigures": "ragstone.drafts.figures",
    "DraftPassage": "ragstone.drafts.passage",
    "DraftSet": "ragstone.drafts.drafting",
    "YieldTable": "ragstone.drafts.figures",
    "adraft": "ragstone.drafts.drafting",
    "draft": "ragstone.drafts.drafting",
}

__all__ = [
    "CoverageLine",
    "DraftCoverage",
    "DraftFigures",
    "DraftPassage",
    "DraftSet",
    "YieldTable",
    "adraft",
    "draft",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
