import csv
import io
import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import toy_cases

from ragstone import evaluate
from ragstone.errors import BadDataset, BadOption
from ragstone.findings.diagnosis import Diagnosis, explain
from ragstone.findings.diagnosis.checks import (
    check_order,
    checks_table,
    with_annotations,
    with_causes,
    with_checks,
)
from ragstone.findings.diagnosis.model import Outcome
from ragstone.show.render.console import plain_console, show
from ragstone.store import CAUSE, Annotation


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return explain(evaluate(toy_cases(3), preset="diagnosis", judge=PerfectJudge()))


def filled(table: str, cause: dict[str, str], path: Path) -> Path:
    """Write the table with the causes by case number, as a person would."""
    rows = list(csv.DictReader(io.StringIO(table)))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, "cause": cause.get(row["case"], "")} for row in rows)
    return path


def truth(found: Diagnosis) -> dict[str, str]:
    return {str(case.place + 1): case.cause.name if case.cause else "passed" for case in found.cases}


def test_agreeing_checks_do_not_change_the_shares(found: Diagnosis, tmp_path: Path) -> None:
    table = checks_table(found, 26)
    assert "retriever" not in table.splitlines()[0]
    checked = with_checks(found, filled(table, truth(found), tmp_path / "checks.csv"))
    assert checked.checked is not None
    assert (checked.checked.checked, checked.checked.agreed) == (26, 26)
    before = {share.cause.name: share for share in found.shares}
    assert {share.cause.name for share in checked.shares} == before.keys()
    for share in checked.shares:
        assert share.share.value == pytest.approx(before[share.cause.name].share.value)
        assert share.judged == before[share.cause.name].share
        assert share.worth == pytest.approx(before[share.cause.name].worth)
    assert "agreed with the judge in 26" in checked.to_markdown()
    assert json.loads(checked.to_json())["checked"]["agreed"] == 26


def test_disagreeing_checks_correct_the_shares(found: Diagnosis, tmp_path: Path) -> None:
    said = {place: "misread" if name == "invented" else name for place, name in truth(found).items()}
    corrected = with_checks(found, filled(checks_table(found, 39), said, tmp_path / "checks.csv"))
    assert corrected.checked is not None
    assert corrected.checked.confusion["invented", "misread"] == 3
    shares = {share.cause.name: share for share in corrected.shares}
    assert shares["invented"].share.value == 0.0
    assert shares["misread"].share.value == pytest.approx(6 / 39)
    assert corrected.shares[0].cause.name == "misread"
    assert corrected.verdict == "misread (generator) is the cause in 15 % of all cases, by people's checks."
    file = StringIO()
    show(corrected.document(), plain_console(file, width=140))
    for text in (file.getvalue(), corrected.to_markdown(), corrected.to_html()):
        row = next(
            line
            for line in text.replace("<tr>", "\n").splitlines()
            if "misread" in line and "at most" in line
        )
        assert row.index("15 %") < row.index("8 %"), (
            "the corrected share comes first, the judge's own is a detail"
        )
        assert "corrected share of all cases" in text
        assert "by the judge" in text
    row = next(row for row in json.loads(corrected.to_json())["causes"] if row["name"] == "misread")
    assert row["share"]["value"] == pytest.approx(6 / 39)
    assert row["judged"]["value"] == pytest.approx(3 / 39)


def test_cases_checked_as_passed_raise_the_passed_share(found: Diagnosis) -> None:
    said: dict[int, Outcome] = {case.place: "passed" for case in found.of_cause("doubtful_case")}
    corrected = with_causes(found, said)
    assert corrected.passed.value == pytest.approx(6 / 39)
    assert corrected.judged_passed == found.passed
    assert "15 % passed" in corrected.to_markdown()
    assert "by the judge alone 8 %" in corrected.to_markdown()
    assert "doubtful_case" in {share.cause.name for share in corrected.shares}


def annotated(place: int, annotator: str, cause: str) -> Annotation:
    moment = datetime.now(UTC)
    return Annotation(
        case_index=place,
        case_id="",
        target=CAUSE,
        claim="",
        annotator=annotator,
        verdict="yes",
        note=cause,
        created=moment,
        updated=moment,
    )


def test_majority_of_annotators_decides_the_cause(found: Diagnosis) -> None:
    places = [place + 100 for place in range(len(found.cases))]
    votes = [
        (0, "Ann", "passed"),
        (0, "Bo", "invented"),
        (0, "Cy", "invented"),
        (1, "Ann", "cut"),
        (1, "Bo", "form"),
    ]
    said = [annotated(100 + place, name, cause) for place, name, cause in votes]
    checked = with_annotations(found, [*said, annotated(7, "Ann", "cut")], places).checked
    assert checked is not None
    assert checked.checked == 1, "the second case is a tie, the third is of another run"
    assert checked.confusion["passed", "invented"] == 1
    assert with_annotations(found, [annotated(100, "Ann", "no such cause")], places) is found
    grouped = explain(found.report, cluster="document")
    assert with_annotations(grouped, said, places) is grouped


def test_check_order_is_random_and_deterministic(found: Diagnosis) -> None:
    order = check_order(found, 30)
    assert order == check_order(found, 30)
    assert len(set(order)) == 30
    assert order != sorted(order)


def test_unfit_checks_files_are_refused(found: Diagnosis, tmp_path: Path) -> None:
    table = checks_table(found, 10)
    with pytest.raises(BadOption, match="no cause is filled in"):
        with_checks(found, filled(table, {}, tmp_path / "empty.csv"))
    places = dict.fromkeys(truth(found), "rumour")
    with pytest.raises(BadDataset, match="there is no cause 'rumour'"):
        with_checks(found, filled(table, places, tmp_path / "wrong.csv"))
    stranger = tmp_path / "other.csv"
    stranger.write_text("case,id,cause\n1,another,passed\n")
    with pytest.raises(BadDataset, match="is not in this run"):
        with_checks(found, stranger)
    with pytest.raises(BadDataset, match="cannot be read"):
        with_checks(found, tmp_path / "absent.csv")
