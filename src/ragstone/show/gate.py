"""A gate's decision: the critical cases that broke, the warnings, the baseline, and the comparison with it."""

from typing import Any

from ragstone.findings.gate.critical import BrokenCase
from ragstone.findings.gate.decision import GateDecision
from ragstone.show import comparison
from ragstone.show.document import SIGNS, Document, Item, cut, dotted, line, listed, notes, quiet, strong
from ragstone.show.render.json import plain

SCHEMA = 1
"""Version of the JSON document, incremented with every incompatible change."""
_FIELDS = (
    *("name", "state", "exit_code", "reasons", "warnings", "test_set", "asked_again", "unmeasured"),
    "results",
)


def document(found: GateDecision, most: int | None = 10) -> Document:
    """Return the decision as a document; at most `most` flipped cases of each metric, None for all.

    A comment of its Markdown marks the gate, so that the comment in a pull request can be replaced.
    """
    baseline = found.baseline
    facts = dotted(
        line("baseline ", strong(baseline.place, 200)),
        f"{baseline.report.run.started:%Y-%m-%d}",
        f"test set {found.test_set}",
    )
    warnings = notes((*found.staleness, *found.assumptions), SIGNS["not_measured"])
    return Document(
        "gate",
        line(strong(found.name), f", {found.state}"),
        (facts,),
        (comparison.document(found.comparison, most), *listed((*map(_broken, found.broken), *warnings))),
        f"gate {found.state}: {found.verdict}",
        comparison.STATUS_OF_STATE[found.state],
        comment=f"ragstone:gate:{found.name}",
    )


def _broken(case: BrokenCase) -> Item:
    mark = SIGNS["missed" if case.confirmed else "not_measured"]
    counted = "" if case.confirmed else ": not counted"
    told = f"({cut(case.metric, 80)} {case.outcome}{counted})"
    reason = (line(quiet(case.reason, 300)),) if case.reason else ()
    return Item(line(f"critical: {cut(case.question or case.case_id, 160)} {told}"), mark, reason)


def values(found: GateDecision) -> dict[str, Any]:
    """Return the decision as JSON has it."""
    report = found.baseline.report
    return {
        "schema": SCHEMA,
        **plain(found, *_FIELDS),
        "baseline": {
            **plain(found.baseline, "place", "test_set"),
            "run": report.run.id,
            "created": report.run.started.isoformat(),
        },
        "broken": [{**plain(case), "confirmed": case.confirmed} for case in found.broken],
        "comparison": comparison.values(found.comparison),
    }
