"""The replays reproduce what was published of the recorded judges; needs the human-labelled data."""

from pathlib import Path
from typing import Any

import pytest
from benchmarks.replays.__main__ import main
from benchmarks.replays.ratings import read_rating

from benchmarks.replays import openqa, ragchecker, recorded, summeval

FOLDERS = [parent / "shared" / "data" for parent in Path(__file__).resolve().parents]
FOLDER = next((folder for folder in FOLDERS if folder.is_dir()), recorded.DATA)

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the human-labelled data is not at {recorded.DATA}"),
]


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    return recorded.read("judge_summeval_gpt", FOLDER)


@pytest.fixture(scope="module")
def experts() -> list[dict[str, Any]]:
    return recorded.read("summeval", FOLDER)


FEW = 50
"""Bootstrap samples, where a test needs the figures, and that they have intervals, but no end of one."""

PUBLISHED = {
    summeval.GPT_4: (0.445, 0.555, 0.495, 0.427),
    summeval.GPT_35: (0.444, 0.423, 0.285, 0.448),
}
CASES = [
    (judge, a, f) for judge, all_ in PUBLISHED.items() for a, f in zip(summeval.ASPECTS, all_, strict=True)
]


@pytest.mark.parametrize(("judge", "aspect", "figure"), CASES)
def test_summeval_correlations_match_published_figures(
    answers: list[dict[str, Any]], experts: list[dict[str, Any]], judge: str, aspect: str, figure: float
) -> None:
    found, unread = summeval.judge_against_experts(answers, experts, judge, aspect, resamples=FEW)
    assert found.n + unread == 1200
    assert unread <= 2
    assert found.spearman.value == pytest.approx(figure, abs=0.01)
    assert found.spearman.interval is not None
    assert found.spearman.interval.units == 100  # articles
    assert found.ceiling is not None
    assert found.ceiling.human.value is not None
    assert found.ceiling.human.value > figure


def test_read_ratings_match_recorded_ones_except_scale_maximum(answers: list[dict[str, Any]]) -> None:
    read = [(read_rating(row["response"]), row.get("score")) for row in answers]
    differ = [(ours, theirs) for ours, theirs in read if ours is not None and ours != theirs]
    # "3 out of 5." was recorded as 5; nothing else is read differently.
    assert 0 < len(differ) < 25
    assert all(theirs == 5.0 for _, theirs in differ)
    assert sum(ours is None for ours, _ in read) <= 3


def test_mean_of_five_answers_correlates_better_with_experts(answers: list[dict[str, Any]]) -> None:
    for aspect in summeval.ASPECTS:
        found = summeval.averaging(answers, aspect)
        assert found.answers == 5
        assert 1198 <= found.n <= 1200
        assert found.gain.interval is not None
        assert found.gain.interval.low > 0.0


def test_openqa_agreement_matches_published_figures() -> None:
    found, unread = openqa.judge_against_people(recorded.read("openqa_nq301", FOLDER))
    assert found.n + unread == 1490
    assert unread < 15
    assert found.accuracy.value == pytest.approx(0.848, abs=0.005)
    assert found.kappa.value == pytest.approx(0.696, abs=0.008)


def test_ragchecker_correlations_on_the_public_dev_set() -> None:
    rows = recorded.read("ragchecker_meta_dev", FOLDER)
    found = ragchecker.judge_against_people(rows, "overall")
    assert found.n == 140
    assert found.pearson.value == pytest.approx(0.7158, abs=0.0005)
    assert found.spearman.value == pytest.approx(0.7296, abs=0.0005)
    assert found.ceiling is not None
    assert found.ceiling.human.value == pytest.approx(0.7386, abs=0.0005)


def test_main_prints_all_replays_in_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(FOLDER, resamples=FEW)
    told = capsys.readouterr().out
    assert "| RAGChecker meta, overall | RAGChecker | pearson | 140 | 0.716 (" in told
    assert "| gpt-4-0314 | spearman | 1198 | 0.55" in told
    assert told.count("\n") == 2 + 6 + 2 + 8 + 16
