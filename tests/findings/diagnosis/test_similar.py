import json
from io import StringIO

import pytest
from benchmarks.causes.similar import similar_failure_figures
from benchmarks.causes.support_questions import TOPICS
from tests.findings.diagnosis.support_runs import run_of, warranty_run
from tests.findings.sample import HOSTILE

from ragstone import TestCase, evaluate
from ragstone.findings.diagnosis import Diagnosis, explain
from ragstone.findings.diagnosis import similar as module
from ragstone.findings.diagnosis.similar import find_similar_failures
from ragstone.show.render.console import plain_console, show

WARRANTY = " ".join(text for texts in TOPICS["warranty"] for text in texts).lower()


@pytest.fixture(scope="module")
def on_warranty() -> Diagnosis:
    return explain(warranty_run())


def terminal(found: Diagnosis) -> str:
    file = StringIO()
    show(found.document(), plain_console(file, width=140))
    return file.getvalue()


def test_failures_on_one_topic_are_found_and_named_by_its_words(on_warranty: Diagnosis) -> None:
    assert on_warranty.similar is not None
    (found,) = on_warranty.similar.found
    assert found.words[0] in {"warranty", "broken", "repair"}
    assert all(word in WARRANTY for word in found.words)
    assert {on_warranty.cases[place].case.tags for place in found.cluster.members} == {("warranty",)}
    assert all(on_warranty.cases[place].cause is not None for place in found.cluster.missed)
    assert found.causes == {"form": len(found.cluster.missed)}
    assert found.cluster.failures == len(on_warranty.missed)


def test_every_rendering_shows_the_group_with_an_example(on_warranty: Diagnosis) -> None:
    assert on_warranty.similar is not None
    (found,) = on_warranty.similar.found
    failed, n = len(found.cluster.missed), len(found.cluster.members)
    example = on_warranty.cases[found.cluster.missed[0]].case.input
    for text in (terminal(on_warranty), on_warranty.to_markdown(), on_warranty.to_html()):
        told = " ".join(text.split())
        assert ", ".join(found.words) in told
        assert f"{failed} of {len(on_warranty.missed)} misses" in told
        assert f"Of the {n} similar cases {round(100 * failed / n)} % missed, elsewhere" in told
        assert "All form." in told
        assert example in told
        assert "at most 5 % of runs show a group" in told
    document = json.loads(on_warranty.to_json())["similar_misses"]
    (row,) = document["found"]
    assert row["words"] == list(found.words)
    assert row["missed"] == list(found.cluster.missed)
    assert row["causes"] == {"form": failed}
    assert document["drawn"] == len(on_warranty.cases)


def test_randomly_spread_failures_form_no_group() -> None:
    found = explain(run_of(120, lambda _, rng: rng.random() < 0.2))
    assert found.similar is not None
    assert not found.similar.found
    assert found.similar.tried > 10
    for text in (terminal(found), found.to_markdown(), found.to_html()):
        assert "No group of misses stands out" in text


def test_similar_failures_need_enough_failures_and_no_cluster() -> None:
    places = iter(range(30))
    few = explain(run_of(30, lambda *_: next(places) < 3))
    assert "too few misses or passed cases" in few.to_markdown()
    cases = [case.model_copy(update={"metadata": {"document": case.tags[0]}}) for case in few.report.cases]
    grouped = explain(evaluate(cases, "exact_match", progress=False), cluster="document")
    assert grouped.similar is None
    assert json.loads(grouped.to_json())["similar_misses"] is None
    assert "Similar misses are not searched for" in grouped.to_html()


def test_similar_failures_are_searched_in_a_sample(
    on_warranty: Diagnosis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CASES", 100)
    causes = [None if case.cause is None else case.cause.name for case in on_warranty.cases]
    search = find_similar_failures(on_warranty.report.cases, causes)
    assert search.drawn == 100
    assert any(place >= 100 for found in search.found for place in found.cluster.members)
    for found in search.found:
        assert {on_warranty.cases[place].case.tags for place in found.cluster.members} == {("warranty",)}
        assert all(causes[place] for place in found.cluster.missed)


def test_false_group_rate_is_at_most_15_percent() -> None:
    """The documentation's 1,000 runs are simulated by `python -m benchmarks.causes --similar`; here 40 of them."""
    assert similar_failure_figures(60, datasets=40).any_reported <= 0.15


def test_a_planted_group_is_found() -> None:
    found = similar_failure_figures(160, base=0.1, effect=0.7, datasets=8)
    assert found.planted_found >= 0.8
    assert found.named == 1
    assert found.purity > 0.9


def test_hostile_text_is_neutralised_in_similar_failures() -> None:
    cases = [
        TestCase(
            input=f"{HOSTILE} {place % 2}",
            actual_output=HOSTILE,
            expected_output=HOSTILE if place > 9 else "x",
        )
        for place in range(40)
    ]
    found = explain(evaluate(cases, "exact_match", progress=False))
    assert "<script>alert" not in found.to_html()
    assert "<script>" not in found.to_markdown()
    assert not [sign for sign in terminal(found) if sign != "\n" and ord(sign) < 32]
