import json
import re
import socket
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.command import invoke


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """The demo, without any network."""
    output = tmp_path_factory.mktemp("demo") / "report.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _refused)
        return invoke("demo", "--output", output, env={"COLUMNS": "120"}), output


def _refused(*arguments: object) -> None:
    del arguments
    raise AssertionError("the demo needs no network")


def test_demo_exits_0_or_1_with_a_local_judge_report(demo: tuple[Result, Path]) -> None:
    done, _ = demo
    assert done.exit_code in (0, 1), done.stderr
    assert "judge local · demo · 35 cases" in done.stdout
    assert "NOT MEASURED" not in done.stdout


def test_demo_measures_every_result(demo: tuple[Result, Path]) -> None:
    document = json.loads(demo[1].read_text())
    results = [row for entry in document["cases"] for row in entry["results"]]
    assert len(results) == 35 * 8
    assert all(row["status"] in ("passed", "missed", "undecided", None) for row in results)


@pytest.mark.xfail(reason="10 of 21 since the judge leaves undecided what it is not sure of")
def test_the_judge_finds_most_of_the_planted_flaws(demo: tuple[Result, Path]) -> None:
    """A floor, not a wish: it rises with the judge."""
    found = re.search(r"(\d+) of 21 planted flaws found", demo[0].stdout)
    assert found is not None
    assert int(found[1]) >= 18


def test_the_judge_leaves_most_sound_cases_alone(demo: tuple[Result, Path]) -> None:
    """Likewise."""
    alone = re.search(r"(\d+) of 14 sound cases not flagged", demo[0].stdout)
    assert alone is not None
    assert int(alone[1]) >= 13


def test_table_lists_every_planted_flaw_with_its_outcome(demo: tuple[Result, Path]) -> None:
    table = demo[0].stdout.split("PLANTED FLAWS")[1]
    assert len(re.findall(r"^ *(?:✓ found|\? undecided|✗ not found) ", table, re.MULTILINE)) == 21
    assert "The answer says 6 weeks of notice; passage 1 says at least 10 weeks." in table
    assert re.search(r"\d+ of 14 sound cases not flagged\.", table)


def test_quiet_shows_nothing() -> None:
    done = invoke("demo", "--quiet")
    assert (done.stdout, done.stderr) == ("", "")
