import json
import re
from pathlib import Path

import pytest
from tests.cli.command import forked, invoke, rows

from ragstone.store import open_store

pytestmark = pytest.mark.usefixtures("few_resamples")

LABELLED = [
    {
        "input": f"How long is leave {n}?",
        "actual_output": f"Leave {n} is {n if n % 3 else n + 7} weeks.",
        "retrieval_context": [f"Leave {n} is {n} weeks long.", "The canteen opens at 11:30."],
        "label": "yes" if n % 3 else "no",
        "annotators": [int(bool(n % 3)), int(bool(n % 3 or n == 3))],
    }
    for n in range(1, 31)
]


def test_agree_compares_the_judge_with_human_labels(tmp_path: Path) -> None:
    data = rows(tmp_path, *LABELLED)
    one, other = tmp_path / "a.md", tmp_path / "a.json"
    done = forked("agree", data, "-m", "faithfulness", "-o", one, "-o", other)
    assert done.returncode == 0
    assert "judge local · 30 labels in 'label' (yes or no)" in done.stdout
    assert "Cohen's kappa" in done.stdout
    assert "one person with the others" in done.stdout
    assert "PEOPLE WITH EACH OTHER  n 30" in done.stdout
    assert "people yes" in done.stdout
    assert "measuring 30 results" in done.stderr
    assert "## Agree: " in one.read_text()
    (found,) = json.loads(other.read_text())["metrics"]
    assert found["n"] + found["undecided"] == 30
    assert f"{found['undecided']} labelled cases undecided, in none of the figures" in done.stdout


def test_prompt_option_measures_a_single_prompt(tmp_path: Path) -> None:
    done = invoke("agree", rows(tmp_path, *LABELLED), "--prompt", "judge-claims", "-m", "faithfulness")
    assert done.exit_code == 0
    counts = re.findall(r"(?:Faithfulness|judge_claims)  n (\d+)", done.stdout)
    assert len(counts) == 2
    assert all(0 < int(n) <= 30 for n in counts)


def test_labelled_rows_correct_the_mean_of_unlabelled_rows(tmp_path: Path) -> None:
    some = [
        {**row, "label": row["label"] if n % 2 else None, "annotators": None}
        for n, row in enumerate(LABELLED)
    ]
    done = invoke("agree", rows(tmp_path, *some), "-m", "faithfulness")
    assert done.exit_code == 0
    assert "15 labels in 'label' (yes or no), 15 without" in done.stdout
    shown = " ".join(done.stdout.split())
    assert re.search(r"judge says [01]\.\d\d, corrected [01]\.\d\d \(", shown)
    assert re.search(r"\d+ labels correct \d+ cases without one", shown)


def test_agree_exits_3_when_a_labelled_row_is_unmeasured(tmp_path: Path) -> None:
    bare = {"input": "q", "actual_output": "a", "label": 1}
    done = invoke("agree", rows(tmp_path, *LABELLED, bare), "-m", "faithfulness")
    assert done.exit_code == 3
    assert "1 labelled case not measured" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--label", "lable"), "Did you mean 'label'?"),
        (("-m", "faithfullness"), "Did you mean 'faithfulness'?"),
        (("--prompt", "claims"), "Did you mean 'judge_claims'?"),
        (("-o", "a.doc"), "no format named '.doc'"),
    ],
)
def test_agree_exits_2_on_invalid_options(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = invoke("agree", rows(tmp_path, *LABELLED), *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_agree_takes_the_options_of_run(tmp_path: Path) -> None:
    data, store = rows(tmp_path, *LABELLED[:4]), tmp_path / "runs.sqlite3"
    pace = ("--timeout", "50", "--concurrency", "2", "--rpm", "60000", "--no-cache", "--store", store)
    done = invoke("agree", data, "-m", "faithfulness", *pace, "--limit", "3", "--quiet")
    assert done.exit_code == 0, done.stderr
    kept = open_store(store)
    stored = kept.find("last")
    assert (stored.run.plan.timeout, stored.run.plan.concurrency, stored.run.plan.rpm) == (50, 2, 60000)
    assert len(kept.results(stored)) == 3
    assert invoke("agree", data, "-m", "exact_match", "--max-cost", "0").exit_code == 2
