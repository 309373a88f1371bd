import pytest
from tests.findings.sample import case, result, run

from ragstone.event import JudgeCalled, MeasurementFinished, RowRejected, RunFinished, RunStarted
from ragstone.findings import Collector
from ragstone.result import Usage


def measured(case_index: int, metric_index: int, score: float) -> MeasurementFinished:
    item = case(case_index)
    return MeasurementFinished(case_index, metric_index, item, result(item, score, metric=f"M{metric_index}"))


def test_collector_sorts_results_into_dataset_order() -> None:
    collector = Collector()
    collector(RunStarted(run(), 4))
    for case_index, metric_index in ((1, 1), (0, 1), (1, 0), (0, 0)):
        collector(measured(case_index, metric_index, (case_index * 2 + metric_index) / 10))
    collector(JudgeCalled("Prompt", "judge", Usage(calls=1), None, 1.0))
    collector(RunFinished(run(), complete=True))
    report = collector.report()
    assert [[found.score for found in row] for row in report.results] == [[0.0, 0.1], [0.2, 0.3]]
    assert [item.id for item in report.cases] == ["case-0", "case-1"]
    assert report.complete


def test_collector_reports_an_unfinished_run() -> None:
    collector = Collector()
    assert collector.run is None
    with pytest.raises(RuntimeError):
        collector.report()
    collector(RunStarted(run(), None))
    assert collector.run is not None
    collector(measured(2, 1, 1.0))
    collector(RowRejected("line 3"))
    report = collector.report()
    assert (len(report.cases), report.rejected, report.complete) == (1, ["line 3"], False)
    assert report.seconds > 0
