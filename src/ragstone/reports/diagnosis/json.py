"""A diagnosis as one JSON document."""

import json
from dataclasses import asdict
from typing import Any

from ragstone.reports.diagnosis.model import CaseDiagnosis, CauseShare, Diagnosis, Outcome
from ragstone.reports.diagnosis.similar import SimilarFailureSearch
from ragstone.reports.diagnosis.worth import MeasuredWorth
from ragstone.stats.corrected_shares import CorrectedShares
from ragstone.stats.estimate import Estimate

SCHEMA = 1
"""Version of the document's schema, incremented with every incompatible change."""


def render(diagnosis: Diagnosis) -> str:
    """Return the diagnosis as JSON."""
    return f"{json.dumps(_document(diagnosis), ensure_ascii=True, indent=1)}\n"


def _document(diagnosis: Diagnosis) -> dict[str, Any]:
    plan = diagnosis.report.run.plan
    figures = diagnosis.abstention
    return {
        "schema": SCHEMA,
        "run": {
            "id": diagnosis.report.run.id,
            "name": plan.name,
            "judge": plan.judge,
            "prompts": plan.prompts,
        },
        "verdict": diagnosis.verdict,
        "cases": len(diagnosis.cases),
        "missed": len(diagnosis.missed),
        "undecided": diagnosis.undecided,
        "not_measured": diagnosis.not_measured,
        "passed": _estimate(diagnosis.passed),
        "judged_passed": None if diagnosis.judged_passed is None else _estimate(diagnosis.judged_passed),
        "cluster": diagnosis.cluster,
        "by_owner": diagnosis.by_owner,
        "generator_rate": diagnosis.generator_rate,
        "causes": [_share(share) for share in diagnosis.shares],
        "checked": None if diagnosis.checked is None else _checked(diagnosis.checked),
        "measured": None if diagnosis.measured is None else _measured(diagnosis.measured),
        "abstention": None if figures is None else asdict(figures),
        "slices": None if diagnosis.slices is None else asdict(diagnosis.slices),
        "similar_failures": None if diagnosis.similar is None else _similar(diagnosis.similar),
        "notes": diagnosis.notes,
        "misses": [_case(case) for case in diagnosis.missed],
    }


def _share(share: CauseShare) -> dict[str, Any]:
    return {
        **share.cause._asdict(),
        "count": share.count,
        "share": _estimate(share.share),
        "judged": None if share.judged is None else _estimate(share.judged),
        "worth": share.worth,
        "worth_most": share.worth_most,
    }


def _checked(checked: CorrectedShares[Outcome]) -> dict[str, Any]:
    return {
        "checked": checked.checked,
        "agreed": checked.agreed,
        "shares": {name: _estimate(share) for name, share in checked.shares.items()},
        "confusion": [
            {"judge": judge, "people": people, "cases": cases}
            for (judge, people), cases in checked.confusion.items()
        ],
        "unchecked": checked.unchecked,
    }


def _similar(search: SimilarFailureSearch) -> dict[str, Any]:
    return {
        "tried": search.tried,
        "rate": search.rate,
        "drawn": search.drawn,
        "found": [
            {"words": group.words, "causes": group.causes, **asdict(group.cluster)} for group in search.found
        ],
    }


def _measured(measured: MeasuredWorth) -> dict[str, Any]:
    gains = [{**asdict(gain), "cause": gain.cause.name} for gain in measured.gains]
    return {**asdict(measured), "gains": gains, "errors": dict(measured.errors)}


def _case(case: CaseDiagnosis) -> dict[str, Any]:
    return {
        "place": case.place,
        "id": case.case.id,
        "input": case.case.input,
        "cause": case.cause.name if case.cause else None,
        "evidence": asdict(case.evidence) if case.evidence else None,
        "missed": case.missed,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return asdict(estimate)
