"""Ways in which an application or a pull request can be bad, and what the gate says: the table of the how-to."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import invoke

Row = dict[str, Any]
CASES, CRITICAL = 20, 3
METRICS = ("-m", "exact_match", "-m", "faithfulness", "-m", "contextual_recall", "--no-store")


def rows(count: int = CASES) -> list[Row]:
    """The dataset of the main branch: each answer is right; the first test cases are critical."""
    return [
        {
            "id": f"c{number}",
            "input": f"When does hall {number} open?",
            "actual_output": f"Hall {number} opens at {number % 12 + 1}:00.",
            "expected_output": f"Hall {number} opens at {number % 12 + 1}:00.",
            "retrieval_context": [f"Hall {number} opens at {number % 12 + 1}:00."],
            "tags": ["critical"] if number < CRITICAL else [],
        }
        for number in range(count)
    ]


def everywhere(**changes: object) -> Callable[[list[Row]], list[Row]]:
    return lambda given: [row | changes for row in given]


def first(**changes: object) -> Callable[[list[Row]], list[Row]]:
    return lambda given: [given[0] | changes, *given[1:]]


def good_before_bad(given: list[Row]) -> list[Row]:
    return [given[0], given[0] | {"actual_output": "Never."}, *given[1:]]


def references_follow_answers(given: list[Row]) -> list[Row]:
    return [row | {"actual_output": "Never.", "expected_output": "Never."} for row in given]


def write(path: Path, given: list[Row]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in given))
    return path


@pytest.fixture(scope="module")
def main_branch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the baseline of the main branch, and its results as a file."""
    folder = tmp_path_factory.mktemp("main")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write(folder / "faq.jsonl", rows())
        found = invoke("gate", "faq.jsonl", *METRICS, "--update")
        assert found.exit_code == 0, found.output
        assert invoke("run", "faq.jsonl", *METRICS, "-o", "results.json", "-q").exit_code == 0
    for command in (
        ["init", "--quiet", "--initial-branch", "main"],
        ["add", "."],
        ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "--quiet", "-m", "baseline"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def branch(main_branch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of the main branch, as the current folder."""
    subprocess.run(["git", "clone", "--quiet", main_branch, tmp_path / "branch"], check=True)
    monkeypatch.chdir(tmp_path / "branch")
    return tmp_path / "branch"


BAD_ROWS: dict[str, tuple[Callable[[list[Row]], list[Row]], int, str]] = {
    "all answers are empty": (everywhere(actual_output=""), 2, "needs 'actual_output'"),
    "most answers are empty": (
        lambda given: [*(row | {"actual_output": ""} for row in given[1:]), given[0]],
        1,
        "gate red",
    ),
    "nothing is retrieved": (everywhere(retrieval_context=[]), 1, "gate red"),
    "the passages are missing": (everywhere(retrieval_context=None), 2, "needs 'retrieval_context'"),
    "a metric is measured in one case": (
        lambda given: [given[0], *(row | {"expected_output": None} for row in given[1:])],
        1,
        "of the results could not be measured",
    ),
    "test cases are removed": (lambda given: given[: CASES // 2], 1, "gate red: 50 % of the results"),
    "the dataset is replaced": (
        lambda given: [row | {"id": f"x{n}", "input": f"Why {n}?"} for n, row in enumerate(given)],
        1,
        "gate red",
    ),
    "the dataset is empty": (lambda given: given[:0], 2, "is empty"),
    "a critical case breaks": (first(actual_output="Never."), 3, "1 critical case broke"),
    "it loses its tag too": (first(actual_output="Never.", tags=[]), 3, "1 critical case broke"),
    "it is not measured": (
        first(retrieval_context=None),
        1,
        "1 critical case passed before and has no score",
    ),
    "it is removed": (lambda given: given[1:], 1, "1 critical case passed before and has no score"),
    "a good row stands before it": (good_before_bad, 1, "1 row could not be read"),
    "the references follow the answers": (references_follow_answers, 1, "gate red"),
}


@pytest.mark.parametrize("way", BAD_ROWS)
def test_bad_answers_are_not_green(branch: Path, way: str) -> None:
    change, exit_code, text = BAD_ROWS[way]
    found = invoke("gate", write(branch / "faq.jsonl", change(rows())), *METRICS)
    assert (found.exit_code, text in " ".join(found.output.split())) == (exit_code, True), found.output


def results(folder: Path, change: Callable[[Any], None]) -> Path:
    """Write the results of the main branch with a change to each result."""
    document = json.loads((folder / "results.json").read_text())
    change(document)
    path = folder / "changed.json"
    path.write_text(json.dumps(document))
    return path


def each(step: int = 2, **changes: object) -> Callable[[Any], None]:
    """Change the results of every second test case."""

    def change(document: Any) -> None:
        for case in document["cases"][::step]:
            for result in case["results"]:
                result.update(changes)

    return change


def plan(**changes: object) -> Callable[[Any], None]:
    return lambda document: document["run"]["plan"].update(changes)


UNMEASURED = {"score": None, "low": None, "high": None, "success": False, "error": "TimedOut: late"}
BAD_RESULTS: dict[str, tuple[Callable[[Any], None], int, str]] = {
    "scores are out of bounds": (each(score=30.0, low=None, high=None), 2, "30"),
    "half of the scores are undecided": (
        each(score=None, low=0.0, high=1.0, success=False),
        3,
        "depends on",
    ),
    "the direction of a metric is turned": (each(higher_is_better=False), 2, "higher is better"),
    "another judge": (plan(judge="lenient"), 0, "gate yellow"),
    "a lower threshold": (each(threshold=0.1), 0, "gate yellow"),
    "half of the results are not measured": (each(**UNMEASURED), 1, "gate red"),
    "nothing was measured": (each(1, **UNMEASURED), 3, "gate red"),
    "the run did not end": (lambda document: document.update(complete=False), 3, "stopped early"),
}


@pytest.mark.parametrize("way", BAD_RESULTS)
def test_bad_results_are_not_green(branch: Path, way: str) -> None:
    change, exit_code, text = BAD_RESULTS[way]
    found = invoke("gate", results(branch, change), "--results", "--name", "faq")
    assert (found.exit_code, text in " ".join(found.output.split())) == (exit_code, True), found.output


def test_a_metric_that_is_not_measured_any_more_is_red(branch: Path) -> None:
    found = invoke("gate", branch / "faq.jsonl", "-m", "exact_match", "--no-store")
    assert (found.exit_code, "67 % of the results" in " ".join(found.stdout.split())) == (1, True), (
        found.output
    )


def test_a_collapse_of_five_cases_is_not_told_from_chance(branch: Path) -> None:
    path = write(branch / "five.jsonl", [row | {"tags": []} for row in rows(5)])
    assert invoke("gate", path, *METRICS, "--update").exit_code == 0
    write(path, [row | {"tags": [], "actual_output": "Never."} for row in rows(5)])
    found = invoke("gate", path, *METRICS)
    assert (found.exit_code, "gate yellow: 5 cases are too few" in found.stdout) == (3, True), found.output


@pytest.fixture
def edited(branch: Path) -> Path:
    """A branch whose answers are bad, and whose baseline says that they always were."""
    path = write(branch / "faq.jsonl", [row | {"actual_output": "Never."} for row in rows()])
    assert invoke("gate", path, *METRICS, "--update").exit_code == 0
    return path


def test_a_baseline_that_the_branch_edits_is_compared_as_on_the_main_branch(edited: Path) -> None:
    assert invoke("gate", edited, *METRICS).exit_code == 0
    found = invoke("gate", edited, *METRICS, "--against", "origin/main", "-o", "gate.json")
    assert (found.exit_code, "gate red" in found.stdout) == (1, True), found.output
    assert "The baseline differs in the current folder; the run was compared with origin/main:" in " ".join(
        found.stdout.split()
    )
    place = json.loads(Path("gate.json").read_text())["baseline"]["place"]
    assert place == "origin/main:.ragstone/baseline/faq.json"


@pytest.mark.parametrize(
    ("revision", "name", "exit_code", "text"),
    [
        ("origin/main", "other", 3, "There is no baseline origin/main:.ragstone/baseline/other.json"),
        ("no-such-branch", "faq", 2, "--against 'no-such-branch' is no commit"),
        ("--help", "faq", 2, "--against '--help' is no commit"),
    ],
)
def test_a_revision_without_the_baseline_is_named(
    branch: Path, revision: str, name: str, exit_code: int, text: str
) -> None:
    found = invoke("gate", branch / "faq.jsonl", *METRICS, f"--against={revision}", "--name", name)
    assert (found.exit_code, text in found.stderr) == (exit_code, True), found.output
