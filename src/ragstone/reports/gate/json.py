"""A gate's decision as one JSON document."""

import json
from dataclasses import asdict
from typing import IO, Any

from ragstone.reports.comparison import json as comparison_json
from ragstone.reports.gate.decision import GateDecision

SCHEMA = 1
"""Version of the document's schema, incremented with every incompatible change."""


def render(decision: GateDecision) -> str:
    """Return the decision as JSON."""
    return f"{json.dumps(_document(decision), ensure_ascii=True, indent=1)}\n"


def write(decision: GateDecision, file: IO[bytes]) -> None:
    """Write the decision."""
    file.write(render(decision).encode())


def _document(decision: GateDecision) -> dict[str, Any]:
    baseline = decision.baseline
    return {
        "schema": SCHEMA,
        "name": decision.name,
        "state": decision.state,
        "exit_code": decision.exit_code,
        "reasons": decision.reasons,
        "warnings": decision.warnings,
        "baseline": {
            "place": baseline.place,
            "run": baseline.report.run.id,
            "created": baseline.report.run.started.isoformat(),
            "test_set": baseline.test_set,
        },
        "test_set": decision.test_set,
        "broken": [{**asdict(case), "confirmed": case.confirmed} for case in decision.broken],
        "asked_again": decision.asked_again,
        "unmeasured": decision.unmeasured,
        "results": decision.results,
        "comparison": json.loads(comparison_json.render(decision.comparison)),
    }
