from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.command import invoke
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.audit import check_cascade
from ragstone.errors import BadOption
from ragstone.judges import CascadeJudge, Detection, DetectorJudge, get_judge

PASSAGE = "The shop opens at nine."


class Unsure:
    """A detector that is sure of two cases in three."""

    name = "unsure"

    def detect(self, statements: Sequence[str], _passages: Sequence[str], _question: str) -> list[Detection]:
        return [Detection(0.5 if "perhaps" in statement else 0.95) for statement in statements]


CASES = [
    TestCase(
        id=f"case {number}",
        input="When does the shop open?",
        actual_output=f"The shop {'perhaps ' if number % 3 == 0 else ''}opens at {number}.",
        retrieval_context=[PASSAGE],
    )
    for number in range(12)
]


def script() -> Script:
    return Script(claims=["The shop opens at one."], verdicts=every("no"))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")


def test_check_tells_what_each_judge_decides_and_corrects_the_mean() -> None:
    with serving(OpenAIServer(script())) as server:
        spec = f"openai:judge@{server.base_url}"
        judge = CascadeJudge(judges=[DetectorJudge(detector=Unsure()), get_judge(spec)])
        found = check_cascade(CASES, "faithfulness", judge=judge, share=0.25)
    assert found.decided["unsure"] >= 8
    (metric,) = found.metrics
    assert (metric.checked, len(found.alone.cases)) == (3, 3)
    assert metric.corrected is not None
    assert metric.corrected.labelled == 3
    assert metric.corrected.unlabelled == 9
    assert metric.corrected.judge == pytest.approx(8 / 12)
    cascade, alone = found.calls
    assert (cascade, alone) == pytest.approx(
        (4 / 12, 4 / 3)
    )  # the equal claims of three cases are judged once
    assert found.exit_code == 0
    text = found.to_markdown()
    assert "3 cases of 12 checked by openai:judge" in text
    assert "calls a case, openai:judge alone 1.3" in text
    assert '"checked": 3' in found.to_json()


@for_each(
    "judge, share, words",
    [
        ("local", 0.1, "local is one judge: write several"),
        ("local,openai:m@http://127.0.0.1:1/v1", 1.5, r"check=1\.5 is no share"),
    ],
)
def test_check_needs_judges_in_a_row_and_a_share(judge: str, share: float, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        check_cascade(CASES, "faithfulness", judge=judge, share=share)


def test_two_cases_are_too_few() -> None:
    with pytest.raises(BadOption, match="2 cases are too few"):
        check_cascade(CASES[:2], "faithfulness", judge="local,openai:m@http://127.0.0.1:1/v1", share=0.5)


def test_command_checks_a_share_without_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "\n".join(
        case.model_dump_json(include={"input", "actual_output", "retrieval_context"}) for case in CASES
    )
    (tmp_path / "answers.jsonl").write_text(rows, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with serving(OpenAIServer(script())) as server:
        spec = f"local,openai:judge@{server.base_url}"
        shown = invoke(
            "agree", "answers.jsonl", "-m", "faithfulness", "--judge", spec, "--check", "25 %", "--no-store"
        )
        wrong = invoke("agree", "answers.jsonl", "-m", "faithfulness", "--judge", spec, "--check", "some")
    assert shown.exit_code == 0, shown.stderr
    assert "3 cases of 12 checked by openai:judge" in shown.stdout
    assert "the judges say" in shown.stdout
    assert "'some' is no share: write 5% or 0.05" in wrong.stderr
