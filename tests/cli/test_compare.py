import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import environment, forked, invoke

from ragstone import evaluate
from ragstone.findings.load import load_report
from ragstone.findings.registry import write

EXAMPLE = Path(__file__).parents[2] / "examples" / "worse_retriever.py"
MOODY = """
import random
from ragstone.judges import Reply
from ragstone.judges.local import LocalJudge

class Moody:
    '''The embedded judge in a mood: one answer in four has a verdict turned over, at random.'''
    name = "moody"

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.local = LocalJudge()

    async def ask(self, prompt):
        reply = await self.local.ask(prompt)
        verdicts = list(getattr(reply.answer, "verdicts", ()))
        if verdicts and self.random.random() < 0.25:
            place = self.random.randrange(len(verdicts))
            other = "no" if verdicts[place].verdict == "yes" else "yes"
            verdicts[place] = verdicts[place].model_copy(update={"verdict": other})
            return Reply(reply.answer.model_copy(update={"verdicts": tuple(verdicts)}), reply.usage)
        return reply
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, the demo with a worse retriever, and two runs that differ by the judge's mood alone."""
    folder = tmp_path_factory.mktemp("runs")
    worse = folder / "worse.jsonl"
    subprocess.run([sys.executable, EXAMPLE, worse], check=True, env=environment())
    metrics = ["contextual_recall", "contextual_precision", "faithfulness"]
    write(evaluate("demo", metrics), folder / "good.json")
    write(evaluate(worse, metrics), folder / "worse.json")
    write(evaluate("demo", metrics), folder / "good-lines.jsonl")
    namespace: dict[str, object] = {}
    exec(MOODY, namespace)  # noqa: S102  (a judge as a user would write it)
    for seed in (1, 2):
        judge = namespace["Moody"](seed)  # type: ignore[operator]
        write(evaluate("demo", metrics, judge=judge, concurrency=1), folder / f"chance-{seed}.json")
    return folder


def test_fail_on_regression_exits_1_for_a_worse_retriever(runs: Path) -> None:
    done = forked("compare", "good.json", "worse.json", "--fail-on-regression", cwd=runs)
    assert done.returncode == 1
    assert "COMPARE  good.json → worse.json" in done.stdout
    assert "ContextualRecall fell by 0." in done.stdout
    assert "cases got worse, 0 better" in " ".join(done.stdout.split())
    assert "permutation test for 3 metrics together p" in done.stdout
    assert "Faithfulness: whether it changed depends on" in done.stdout
    assert "✗ ContextualRecall, ContextualPrecision got worse" in done.stdout
    assert "whether Faithfulness changed depends on undecided" in " ".join(done.stdout.split())


def test_regression_exits_0_without_fail_on_regression(runs: Path) -> None:
    assert invoke("compare", runs / "good.json", runs / "worse.json").exit_code == 0


def test_runs_that_differ_by_chance_show_no_difference(runs: Path) -> None:
    done = forked("compare", "chance-1.json", "chance-2.json", "--fail-on-regression", cwd=runs)
    assert done.returncode == 0
    scores = [
        [result.score for _, result in load_report(runs / f"chance-{seed}.json").flat()] for seed in (1, 2)
    ]
    assert scores[0] != scores[1]
    assert "✓ No difference between the two runs that this dataset could show." in done.stdout
    assert done.stdout.count("no difference this dataset could show (smallest: ") == 3


def test_compare_accepts_json_lines(runs: Path) -> None:
    done = invoke("compare", runs / "good-lines.jsonl", runs / "worse.json", "--fail-on-regression")
    assert done.exit_code == 1
    assert "35 cases in common" in done.stdout


def test_stored_runs_are_compared_by_name(runs: Path, tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    evaluate("demo", "contextual_recall", store=store, name="before")
    evaluate(runs / "worse.jsonl", "contextual_recall", store=store, name="after", repeats=2, cluster="flaw")
    done = forked("compare", "before", "after", "--store", store, "--fail-on-regression")
    assert done.returncode == 1
    assert "COMPARE  before → after" in done.stdout
    assert "measured once before and 2 times after" in done.stdout
    with_a_file = invoke("compare", runs / "good.json", "last", "--store", store)
    assert with_a_file.exit_code == 0
    assert "35 cases in common" in with_a_file.stdout


def test_compare_writes_markdown_and_json(runs: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "c.md", tmp_path / "c.json"
    done = invoke("compare", runs / "good.json", runs / "worse.json", "-o", one, "-o", other, "-q")
    assert (done.exit_code, done.stdout) == (0, "")
    assert re.search(
        r"\| ContextualRecall \| 0\.\d\d( to \d\.\d\d)? \| 0\.\d\d( to \d\.\d\d)? \|", one.read_text()
    )
    assert json.loads(other.read_text())["regressed"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("good.json", "absent.json"), "There is no file 'absent.json'"),
        (("good.json", "worse.jsonl"), "is not a report"),
        (("good.json", "worse.json", "-o", "c.doc"), "no format named '.doc'"),
        (("good.json", "worse.json", "-o", "no/such/c.md"), "there is no folder no/such"),
        (("good.json", "worse.json", "--cluster", "flow"), "Did you mean 'flaw'?"),
        (("good.json",), "A comparison needs two runs"),
    ],
)
def test_compare_exits_2_on_invalid_arguments(
    runs: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(runs)
    done = invoke("compare", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_compare_exits_3_without_common_metrics(tmp_path: Path) -> None:
    data = [{"input": "q", "actual_output": "a", "expected_output": "a", "retrieval_context": ["a"]}]
    write(evaluate(data, "exact_match"), tmp_path / "a.json")
    write(evaluate(data, "faithfulness"), tmp_path / "b.json")
    done = invoke("compare", tmp_path / "a.json", tmp_path / "b.json", "--fail-on-regression")
    assert done.exit_code == 3
    assert "Nothing could be compared" in done.stdout


def test_compare_exits_74_when_output_cannot_be_written(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ragstone.atomic.os.replace", full)
    done = invoke("compare", runs / "good.json", runs / "good.json", "-o", runs / "full.md")
    assert done.exit_code == 74
    assert "full.md could not be written: No space left on device" in done.stderr
    assert not (runs / "full.md").exists()
