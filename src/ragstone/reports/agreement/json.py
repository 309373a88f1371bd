"""An agreement as one JSON document."""

import json
from dataclasses import asdict
from math import isfinite
from typing import Any, cast

from ragstone.reports.agreement.model import AgreementReport

SCHEMA = 1
"""Version of the document's schema, incremented with every incompatible change."""


def render(found: AgreementReport) -> str:
    """Return the agreement report as JSON."""
    return f"{json.dumps(_plain(_document(found)), ensure_ascii=True, indent=1, allow_nan=False)}\n"


def _document(agreement: AgreementReport) -> dict[str, Any]:
    plan = agreement.report.run.plan
    return {
        "schema": SCHEMA,
        "run": agreement.report.run.id,
        "judge": plan.judge,
        "dataset": plan.dataset,
        "prompts": plan.prompts,
        "label": agreement.labels.field,
        "kind": agreement.labels.kind,
        "scale": agreement.labels.scale,
        "labelled": sum(value is not None for value in agreement.labels.values),
        "people": asdict(agreement.people) if agreement.people else None,
        "metrics": [asdict(metric) for metric in agreement.metrics],
        "rejected": agreement.report.rejected,
    }


def _plain(value: Any) -> Any:  # noqa: ANN401  (whatever a document holds)
    """Return the value with NaN and infinity replaced by None, since JSON has no such numbers."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in cast("list[Any]", value)]
    return value
