import json
from pathlib import Path

from tests.cli.command import forked, invoke


def test_judge_card_of_the_local_judge(tmp_path: Path) -> None:
    one, other = tmp_path / "card.md", tmp_path / "card.json"
    done = forked("judge-card", "--limit", "10", "-o", one, "-o", other)
    assert done.returncode == 0
    assert "JUDGE CARD  local" in done.stdout
    assert "agrees with itself" in done.stdout
    assert "passages reversed" in done.stdout
    assert "## Judge card: local" in one.read_text()
    assert json.loads(other.read_text())["repeats"] == 3


def test_judge_card_of_a_metric_that_the_judge_cannot_measure_is_refused() -> None:
    done = invoke("judge-card", "--limit", "2", "-m", "g_eval(name='g', criteria='good?')", "-q")
    assert done.exit_code == 2
    assert "cannot measure g [GEval]" in done.stderr


def test_judge_card_exits_2_on_invalid_arguments() -> None:
    assert invoke("judge-card", "--repeats", "1").exit_code == 2
    done = invoke("judge-card", "absent.jsonl")
    assert done.exit_code == 2
    assert "no file 'absent.jsonl'" in done.stderr


def test_judge_card_takes_the_options_of_run(tmp_path: Path) -> None:
    options = ("--timeout", "30", "--concurrency", "2", "--cache", "--no-store")
    done = invoke(
        "judge-card", "--limit", "1", "-q", *options, env={"RAGSTONE_CACHE": str(tmp_path / "answers.db")}
    )
    assert done.exit_code in {0, 3}, done.stderr
    assert invoke("judge-card", "--timeout", "0").exit_code == 2
