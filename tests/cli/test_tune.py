import json
from pathlib import Path

import pytest
from tests.audit.tuning.topic_judge import METRIC, labelled
from tests.cli.command import invoke, rows

from ragstone.judges.tuned import read_judge_file
from ragstone.store import open_store

JUDGE = "tests.audit.tuning.topic_judge:TopicJudge"


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run whose answers two people annotated."""
    folder = tmp_path_factory.mktemp("annotated")
    cases = labelled(50)
    bare = [{name: value for name, value in case.items() if name not in ("label", "note")} for case in cases]
    store, said = folder / "runs.sqlite3", folder / "said.jsonl"
    done = invoke(
        "run", rows(folder, *bare), "-m", METRIC, "--judge", JUDGE, "--store", store, "--name", "nightly"
    )
    assert done.exit_code in (0, 1), done.stderr
    said.write_text(
        "".join(
            json.dumps(
                {
                    "case_id": case["id"],
                    "verdict": "yes" if case["label"] else "no",
                    "annotator": name,
                    "note": "so",
                }
            )
            + "\n"
            for case in cases
            for name in ("ada", "bob")
        )
    )
    assert invoke("annotate", "nightly", "--store", store, "--import", said).exit_code == 0
    return store


def test_annotations_tune_the_judge_of_their_run(annotated: Path, tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    done = invoke(
        "tune", "aspect_critique", "--labels", "nightly", "--store", annotated, "--judge", JUDGE, "-o", file
    )
    assert done.exit_code == 0, done.stderr
    assert "Adopted: " in done.stdout
    assert "Cohen's kappa, plain judge  0.00" in done.stdout
    assert f"written: {file}" in done.stderr
    tuning = read_judge_file(file)
    assert (tuning.judge, tuning.metric) == (JUDGE, METRIC)
    if tuning.guidance.examples:
        assert tuning.guidance.examples[0].note == "so / so"
    data = rows(tmp_path, *labelled(20, seed=3))
    again = invoke(
        "run", data, "-m", METRIC, "--judge", file, "--store", annotated, "--name", "tuned", "--trust"
    )
    assert again.exit_code == 1  # vague answers fail now
    judge = open_store(annotated).find("tuned").run.plan.judge
    assert judge.endswith(f"+tuned-{tuning.digest[:8]}")


def test_labelled_file_is_tuned_with_costs(tmp_path: Path) -> None:
    data, file = rows(tmp_path, *labelled(40)), tmp_path / "judge.toml"
    done = invoke("tune", METRIC, "--labels", data, "--judge", JUDGE, "--cost", "fp=5,fn=1", "-o", file, "-q")
    assert (done.exit_code, done.stdout) == (0, "")
    assert read_judge_file(file).card["measure"] == "cost"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cost", "fp=x"), "write two numbers, such as fp=1,fn=5"),
        (("--cost", "fp=0"), "write numbers above 0"),
        (("-o", "judge.json"), "must end with .toml"),
        (("-o", "absent/judge.toml"), "a folder that exists"),
    ],
)
def test_tune_exits_2_on_invalid_options(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    done = invoke("tune", METRIC, "--labels", rows(tmp_path, *labelled(40)), "--judge", JUDGE, *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_tune_exits_2_without_the_metric_or_labels(annotated: Path) -> None:
    done = invoke("tune", "faithfulness", "--labels", "nightly", "--store", annotated)
    assert done.exit_code == 2
    assert "There is no metric in that run named 'faithfulness'" in done.stderr
    assert invoke("tune", METRIC).exit_code == 2
