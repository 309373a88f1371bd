"""What the line under a cell says; that it stands there is shown by a real kernel in tests/test_notebook.py."""

from io import StringIO
from typing import Any

import pytest

pytest.importorskip("IPython")

import IPython.display
from tests.findings.sample import fixed_report

from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.show.progress import NotebookProgress, ProgressLog, in_notebook, progress


class Shown:
    """What a notebook was given to show, in the order in which it replaced each other."""

    def __init__(self) -> None:
        self.bundles: list[dict[str, str]] = []

    def display(self, bundle: dict[str, str], **options: Any) -> "Shown":
        assert options == {"raw": True, "display_id": True}
        self.bundles.append(bundle)
        return self

    def update(self, bundle: dict[str, str], **options: Any) -> None:
        assert options == {"raw": True}
        self.bundles.append(bundle)

    @property
    def texts(self) -> list[str]:
        return [bundle["text/plain"] for bundle in self.bundles]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    recorder = Shown()
    monkeypatch.setattr(IPython.display, "display", recorder.display)
    return recorder


@pytest.mark.parametrize("complete", [True, False])
def test_notebook_updates_at_most_ten_times_a_second(shown: Shown, complete: bool) -> None:  # noqa: FBT001
    now = 0.0
    cell = NotebookProgress(clock=lambda: now)
    report = fixed_report()
    results = list(report.flat())
    cell(RunStarted(run=report.run, total=len(results)))
    for case, result in results:
        now += 4.0 if result is results[0][1] else 0.001
        cell(MeasurementFinished(0, 0, case, result))
    now += 100
    cell(RunFinished(report.run, complete=complete))
    failed = sum(result.error is not None for _, result in results)
    judge = f"judge {report.run.plan.judge}"
    assert shown.texts[0] == f"measuring: 0 of {len(results)} · {judge}"
    assert shown.texts[1].startswith(f"measuring: 1 of {len(results)}")
    assert "left" in shown.texts[1]
    assert len(shown.texts) == 3
    begins = "measured" if complete else "stopped after"
    assert shown.texts[-1].startswith(f"{begins} {len(results)} results, {failed} not measured in ")
    assert "currentColor" in shown.bundles[1]["text/html"]
    assert "currentColor" not in shown.bundles[-1]["text/html"]


def test_notebook_stream_shows_no_total_and_escapes_judge(shown: Shown) -> None:
    now = 0.0
    cell = NotebookProgress(clock=lambda: now)
    report = fixed_report()
    plan = report.run.plan.model_copy(update={"judge": "<b>"})
    cell(RunStarted(run=report.run.model_copy(update={"plan": plan}), total=None))
    now = 1.0
    case, result = next(iter(report.flat()))
    cell(MeasurementFinished(0, 0, case, result))
    assert shown.texts[1].startswith("measuring: 1 so far")
    assert "&lt;b&gt;" in shown.bundles[1]["text/html"]


def test_in_notebook_is_false_outside_a_notebook() -> None:
    assert not in_notebook()
    assert isinstance(progress(StringIO()), ProgressLog)
