"""An explained comparison as one JSON document: that of the comparison, and the causes of the flipped cases."""

import json
from dataclasses import asdict
from typing import Any

from ragstone.reports.comparison import json as comparison_json
from ragstone.reports.flips.model import ExplainedComparison, FlippedCase


def render(found: ExplainedComparison) -> str:
    """Return the comparison with its causes under `why`."""
    document = json.loads(comparison_json.render(found.comparison))
    document["why"] = {
        "verdict": found.verdict,
        "groups": [asdict(group) for group in found.groups],
        "flipped": [_flip(flip) for flip in found.flipped],
    }
    return f"{json.dumps(document, ensure_ascii=True, indent=1)}\n"


def _flip(flip: FlippedCase) -> dict[str, Any]:
    return {
        "case_id": flip.case.id,
        "input": flip.case.input,
        "broke": flip.broke,
        "metrics": flip.metrics,
        "before": flip.before,
        "after": flip.after,
        "evidence": flip.evidence,
        "document": flip.document,
        "left": flip.left,
        "entered": flip.entered,
    }
