import csv
import io
import json
from pathlib import Path

import pytest
from benchmarks.causes.perfect_judge import PerfectJudge
from benchmarks.causes.world import toy_cases

from ragstone import evaluate
from ragstone.errors import BadDataset, BadOption
from ragstone.reports.diagnosis import Diagnosis, explain
from ragstone.reports.diagnosis.checks import checks_table, with_checks


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


def test_people_who_agree_change_no_share(found: Diagnosis, tmp_path: Path) -> None:
    table = checks_table(found, 26)
    assert "retriever" not in table.splitlines()[0]
    checked = with_checks(found, filled(table, truth(found), tmp_path / "checks.csv"))
    assert checked.checked is not None
    assert (checked.checked.checked, checked.checked.agreed) == (26, 26)
    for share in found.shares:
        assert checked.checked.shares[share.cause.name].value == pytest.approx(share.share.value)
    assert "agreed with the judge in 26" in checked.to_markdown()
    assert json.loads(checked.to_json())["checked"]["agreed"] == 26


def test_what_people_say_otherwise_moves_the_share(found: Diagnosis, tmp_path: Path) -> None:
    said = {place: "misread" if name == "invented" else name for place, name in truth(found).items()}
    checked = with_checks(found, filled(checks_table(found, 39), said, tmp_path / "checks.csv")).checked
    assert checked is not None
    assert checked.shares["invented"].value == 0.0
    assert checked.shares["misread"].value == pytest.approx(6 / 39)
    assert checked.confusion["invented", "misread"] == 3


def test_a_file_that_does_not_fit_is_told(found: Diagnosis, tmp_path: Path) -> None:
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
