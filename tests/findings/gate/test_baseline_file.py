import json
from pathlib import Path

import pytest
from tests.findings.sample import case, result, run

from ragstone.errors import BadDataset
from ragstone.findings import Report
from ragstone.findings.comparison import compare
from ragstone.findings.gate import GateBaseline
from ragstone.findings.gate.baseline_file import BaselineFile, read_baseline, write_baseline
from ragstone.findings.gate.decision import compare_with_baseline


def report(scores: list[float | None]) -> Report:
    cases = [case(number) for number in range(len(scores))]
    return Report(
        run=run(prompts={"JudgeClaims": "ab"}),
        cases=cases,
        results=[[result(one, score)] for one, score in zip(cases, scores, strict=True)],
    )


def test_a_baseline_comes_back_as_it_was_written(tmp_path: Path) -> None:
    written = BaselineFile.of(report([0.25, None, 1 / 3]), "faq")
    write_baseline(written, tmp_path / "new" / "faq.json")
    assert read_baseline(tmp_path / "new" / "faq.json") == written
    assert [one.scores for one in written.cases] == [(0.25,), (None,), (0.3333,)]
    assert [one.passed for one in written.cases] == [(False,), (None,), (False,)]


def test_baseline_file_has_no_texts_and_one_line_per_case(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    write_baseline(BaselineFile.of(report([0.5, 0.5, 0.5]), "faq"), first)
    write_baseline(BaselineFile.of(report([0.5, 0.9, 0.5]), "faq"), second)
    text = first.read_text()
    for word in ("work from home", "bicycle", "Policy", "canteen"):
        assert word not in text
    changed = [
        (one, other)
        for one, other in zip(text.splitlines(), second.read_text().splitlines(), strict=True)
        if one != other
    ]
    assert len(changed) == 1
    assert json.loads(changed[0][1].rstrip(","))["scores"] == [0.9]


def test_baseline_cases_are_sorted_by_id(tmp_path: Path) -> None:
    there, back = report([0.1, 0.2, 0.3]), report([0.1, 0.2, 0.3])
    turned = Report(run=back.run, cases=list(reversed(back.cases)), results=list(reversed(back.results)))
    for name, one in (("a", there), ("b", turned)):
        write_baseline(BaselineFile.of(one, "faq"), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_rounded_baseline_scores_are_no_difference() -> None:
    new = report([1 / 3] * 40)
    file = BaselineFile.of(new, "faq")
    found = compare_with_baseline(GateBaseline(file.report(), "faq.json", file.test_set), new)
    assert (found.metrics[0].comparison.same, found.metrics[0].comparison.difference) == (40, 0.0)
    assert not found.warnings


def test_baseline_cases_with_new_ids_are_matched_by_input() -> None:
    before, after = report([0.1, 0.2]), report([0.1, 0.2])
    renamed = [one.model_copy(update={"id": f"new-{number}"}) for number, one in enumerate(after.cases)]
    after = Report(run=after.run, cases=renamed, results=after.results)
    found = compare(BaselineFile.of(before, "faq").report(), after)
    assert (found.cases, found.by_question) == (2, 2)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"ragstone_baseline": 2}', '{"name": "x"}'])
def test_invalid_baseline_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "faq.json"
    path.write_text(text)
    with pytest.raises(
        BadDataset, match=r"faq\.json is not a baseline: .*`ragstone gate --update` writes one"
    ):
        read_baseline(path)


@pytest.mark.parametrize("field", ["scores", "passed", "bounds"])
def test_a_baseline_whose_rows_have_other_lengths_is_refused(tmp_path: Path, field: str) -> None:
    path = tmp_path / "faq.json"
    write_baseline(BaselineFile.of(report([0.1, 0.2]), "faq"), path)
    document = json.loads(path.read_text())
    document["cases"][1][field] = [None, None]
    path.write_text(json.dumps(document))
    with pytest.raises(BadDataset, match="the test case 'case-1' has not one score for each of the metrics"):
        read_baseline(path)


@pytest.mark.parametrize("repeats", [0, -1])
def test_a_baseline_measured_less_than_once_is_refused(tmp_path: Path, repeats: int) -> None:
    path = tmp_path / "faq.json"
    write_baseline(BaselineFile.of(report([0.1]), "faq"), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"repeats": repeats}))
    with pytest.raises(BadDataset, match="repeats: Input should be greater than or equal to 1"):
        read_baseline(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDataset, match=r"none\.json cannot be read: No such file"):
        read_baseline(tmp_path / "none.json")
