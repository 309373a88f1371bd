"""Real questions go into the test set once, redacted, with their provenance: by the API and from the pages."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.conftest import Accessible
from tests.dashboard.routes.test_watch import receive
from tests.dashboard.runs import keep
from tests.dashboard.site import Site, press, served
from tests.testing.for_each import for_each
from tests.traces.rag_traces import ANSWER, QUESTION

from ragstone import load_dataset
from ragstone.case import TestCase, Turn
from ragstone.dashboard.services.test_set import GrowingTestSet, normalised
from ragstone.errors import BadOption
from ragstone.traces.redaction import Redaction

FIRST = f"{1:032x}"


def add(site: Site, **question: Any) -> httpx.Response:
    return client.post(f"{site.url}/api/test-set", json=question)


def test_a_trace_and_a_case_are_added_once_with_their_provenance(site: Site) -> None:
    receive(site, range(1, 3), release="2.1")
    first = add(site, trace_id=FIRST, expected_output="Two years.")
    assert (first.status_code, first.json()["added"], first.json()["number"]) == (201, True, 1)
    again = add(site, trace_id=f"{2:032x}")
    assert (again.status_code, again.json()["added"], again.json()["case_id"]) == (200, False, FIRST)
    keep(site.store, name="v1")
    assert add(site, run="v1", index=3).json()["number"] == 2
    (live, of_run) = load_dataset(first.json()["path"])
    assert (live.input, live.actual_output, live.expected_output) == (QUESTION, ANSWER, "Two years.")
    provenance = live.metadata["provenance"]
    assert (provenance["trace_id"], provenance["release"]) == (FIRST, "2.1")
    assert of_run.metadata["provenance"]["case"] == 3
    assert live.metadata.keys() == {"provenance"}
    assert add(site, trace_id="unknown").status_code == 404
    assert add(site, run="v1", index=999).status_code == 404
    assert add(site, run="v1", trace_id=FIRST).status_code == add(site).status_code == 422


def test_test_set_file_is_redacted_and_private(tmp_path: Path) -> None:
    with served(tmp_path / "runs.sqlite3", redaction=Redaction(("email",))) as site:
        receive(site, range(1, 2), answer="Ask ada@example.org.")
        path = Path(add(site, trace_id=FIRST, expected_output="Or bob@example.org.").json()["path"])
    row = json.loads(path.read_text())
    assert (row["actual_output"], row["expected_output"]) == ("Ask [email].", "Or [email].")
    assert (row["id"], path.stat().st_mode & 0o777) == (FIRST, 0o600)


@for_each(
    "one, other, same",
    [
        ("How long is the warranty?", "  how LONG is the warranty ", True),
        ("Ｈow long?", "How long", True),  # noqa: RUF001  (letters of another width)
        ("How long?", "How long not?", False),
        ("???", "!!!", False),
    ],
)
def test_questions_equal_after_normalisation_are_the_same(one: str, other: str, *, same: bool) -> None:
    assert (normalised(one) == normalised(other)) == same


def test_growing_test_set_handles_conversations_broken_lines_and_threads(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "set.jsonl"
    grown = GrowingTestSet(path)
    turns = (Turn(role="user", content="First?"), Turn(role="assistant", content="Yes."))
    assert grown.add(TestCase(turns=turns), {}).added
    assert not grown.add(TestCase(turns=(*turns, Turn(role="assistant", content="More."))), {}).added
    path.write_bytes(path.read_bytes() + b'{"input": "bro')
    cases = [TestCase(input=f"Question {number % 5}?", actual_output="a") for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(lambda case: grown.add(case, {}).added, cases))
    assert added.count(True) == 5
    assert len(path.read_text().splitlines()) == 7
    with pytest.raises(BadOption, match=r"\.jsonl"):
        GrowingTestSet(tmp_path / "set.csv")


def test_key_t_adds_a_trace_with_user_correction_offered(
    site: Site, tab: Page, accessible: Accessible
) -> None:
    receive(site, range(1, 3))
    client.post(f"{site.url}/api/feedback", json={"trace_id": FIRST, "correction": "Two years, no more."})
    tab.goto(f"{site.url}/watch/traces/{FIRST}")
    expect(tab.get_by_label("expected output, as a user corrected it")).to_have_value("Two years, no more.")
    accessible(tab)
    press(tab, "t")
    status = tab.locator("#test-set [role=status]")
    expect(status).to_contain_text("Added as test case 1 of")
    tab.goto(f"{site.url}/watch")
    tab.get_by_role("link", name="spans of the").first.wait_for()
    run = next(line for line in site.store.runs() if "all" in (line.run.plan.name or ""))
    tab.goto(f"{site.url}/runs/{run.run.id}/cases/0")
    expect(tab.get_by_label("expected output, as a user corrected it")).to_have_value("Two years, no more.")
    press(tab, "t")
    expect(status).to_contain_text("Not added: test case 1 of")
    accessible(tab)
    client.post(f"{site.url}/test-set", data={"trace": FIRST}).raise_for_status()  # without scripts
