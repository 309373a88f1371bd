"""Labels in a comparison: the verdict, the warnings, what is shown and kept in a baseline."""

from pathlib import Path

from tests.testing.outcome import JudgedOutcome, Outcome, outcomes

from ragstone import evaluate
from ragstone.findings import Report
from ragstone.findings.comparison import compare
from ragstone.findings.comparison.figures import change_sentence
from ragstone.findings.gate.baseline_file import BaselineFile, read_baseline, write_baseline
from ragstone.metrics import Metric
from ragstone.show.render import markdown

BEFORE = ("answered",) * 50 + ("partly",) * 6 + ("refused",) * 4
AFTER = ("answered",) * 34 + ("refused",) * 16 + BEFORE[50:]


def run(
    outputs: tuple[str, ...], *metrics: Metric, store: str | bool = False, name: str | None = None
) -> Report:
    cases = [case.model_copy(update={"id": f"c{number}"}) for number, case in enumerate(outcomes(*outputs))]
    return evaluate(cases, list(metrics), store=store, name=name)


def test_labels_without_a_threshold_warn_and_break_nothing() -> None:
    found = compare(run(BEFORE, Outcome()), run(AFTER, Outcome()))
    sentence = "labels of Outcome changed (answered fell from 83 % to 57 %, refused rose from 7 % to 33 %)"
    assert found.verdict == f"The {sentence}."
    assert (found.measured, found.state, found.exit_code) == (True, "yellow", 0)
    assert found.warnings == (f"The {sentence}; no label passes or misses.",)
    assert change_sentence("v1", found) == f"Against v1 (60 in common): the {sentence}."
    text = markdown.render(found.document())
    assert "| ▒ refused | 7 % | 33 % | ▴ +26.7 (+" in text
    assert "answered → refused 16; Stuart" in text
    assert "no cases in common" not in text
    assert '"verdict": "rose"' in found.to_json()


def test_equal_labels_show_no_change() -> None:
    found = compare(run(BEFORE, Outcome()), run(BEFORE, Outcome()))
    assert (found.verdict, found.state, found.exit_code) == (
        "No change of labels that this dataset could show.",
        "green",
        0,
    )


def test_passing_labels_regress_as_their_score_does() -> None:
    found = compare(run(BEFORE, JudgedOutcome()), run(AFTER, JudgedOutcome()))
    assert found.regressed
    assert found.verdict.startswith(
        "JudgedOutcome got worse; the labels of JudgedOutcome changed (answered fell"
    )
    assert found.findings == ()


def test_run_that_lost_its_labels_is_unmeasured() -> None:
    found = compare(run(BEFORE, Outcome()), run(("nothing known",) * 60, Outcome()))
    assert (found.unmeasured, found.exit_code) == (("Outcome",), 3)


def test_stored_runs_and_baselines_compare_as_reports_do(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.sqlite3")
    before, after = (
        run((*outputs, "?", "?"), Outcome(), JudgedOutcome(), store=store, name=name)
        for outputs, name in ((BEFORE, "v1"), (AFTER, "v2"))
    )
    stored = compare("v1", "v2", store=store)
    write_baseline(BaselineFile.of(before, "main"), tmp_path / "main.json")
    kept = compare(read_baseline(tmp_path / "main.json").report(), after)
    memory = compare(*(run((*each, "?", "?"), Outcome(), JudgedOutcome()) for each in (BEFORE, AFTER)))
    for found in (stored, kept):
        assert [metric.labels.table for metric in found.metrics if metric.labels] == [
            metric.labels.table for metric in memory.metrics if metric.labels
        ]
        assert [metric.labels.undecided for metric in found.metrics if metric.labels] == [2, 2]
        assert found.verdict == memory.verdict
    assert "refused rose by 25.8 points" in memory.verdict
