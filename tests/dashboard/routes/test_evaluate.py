"""Whichever way test cases come to the form, they are kept, estimated and judged; what makes no sense is told."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.dashboard import client
from tests.dashboard.site import Site, press, served, wait_until

from ragstone.config import Settings


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("store") / "runs.sqlite3") as site:
        yield site


def _begin(site: Site, **form: str) -> httpx.Response:
    return client.post(
        f"{site.url}/evaluate", data={"preset": "", "metric": "exact_match", "judge": "local", **form}
    )


def _done(site: Site, answer: httpx.Response) -> tuple[int, float | None]:
    """Return how many results the run has that was begun, and the mean of its first metric."""
    assert answer.status_code == 303, answer.text
    stored = site.store.find(answer.headers["location"].rpartition("/")[2])
    wait_until(lambda: site.store.line(stored).progress.state == "complete")
    line = site.store.line(stored)
    return line.progress.done, line.metrics[0].figure.mean


def test_case_from_the_form_is_evaluated(pages: Site) -> None:
    answer = _begin(pages, source="case", input="What?", actual_output="That.", expected_output="That.")
    assert _done(pages, answer) == (1, 1.0)
    assert pages.store.find("What?").run.plan.name == "What?"


@pytest.mark.parametrize(
    "text",
    [
        (
            '{"input": "a", "actual_output": "x", "expected_output": "x"}\n'
            '{"question": "b", "answer": "y", "expected": "z"}'
        ),
        '[{"input": "a", "actual_output": "x", "expected_output": "x"}, {"input": "b", "actual_output": "y", "expected_output": "z"}]',  # noqa: E501
        "input,actual_output,expected_output\na,x,x\nb,y,z",
    ],
)
def test_cases_are_pasted_as_lines_as_a_list_or_as_a_table(pages: Site, text: str) -> None:
    assert _done(pages, _begin(pages, source="paste", paste=text)) == (2, 0.5)


def test_numbers_in_the_form_are_options_of_the_run(pages: Site) -> None:
    numbers = {"limit": "2", "repeats": "3", "max_cost": "0.5"}
    answer = _begin(pages, source="demo", **numbers)
    assert _done(pages, answer)[0] == 2  # exact_match asks no judge, so it is not repeated
    plan = pages.store.find(answer.headers["location"].rpartition("/")[2]).run.plan
    assert (plan.repeats, plan.max_cost) == (3, 0.5)


def test_a_packed_file_is_unpacked_and_several_runs_go_on_at_once(pages: Site) -> None:
    packed = gzip.compress(b'{"input": "a", "actual_output": "x", "expected_output": "x"}')
    form = {"preset": "", "metric": "exact_match", "judge": "local", "source": "upload"}
    begun = [
        client.post(f"{pages.url}/evaluate", data=form, files={"file": ("a.jsonl.gz", packed)})
        for _ in range(3)
    ]
    assert [_done(pages, answer) for answer in begun] == [(1, 1.0)] * 3


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"source": "upload"}, "No file is chosen"),
        ({"source": "paste"}, "Nothing is pasted"),
        ({"source": "paste", "paste": "{"}, "can be read"),
        ({"source": "case"}, "The question is empty"),
        ({"source": "demo", "metric": ""}, "metric"),
        ({"source": "demo", "judge": "os:system"}, "judge on offer"),
        ({"source": "demo", "threshold.exact_match": "7"}, "write a number from 0 to 1"),
        ({"source": "demo", "limit": "none"}, "limit is"),
        ({"source": "earlier", "earlier": "../../etc/passwd"}, "dataset"),
    ],
)
def test_invalid_form_is_refused_with_an_alert(pages: Site, form: dict[str, str], told: str) -> None:
    answer = _begin(pages, **form)
    assert answer.status_code == 400
    assert told in answer.text
    assert 'role="alert"' in answer.text


def test_evaluate_page_shows_the_estimate_of_a_run(pages: Site, tab: Page) -> None:
    tab.goto(f"{pages.url}/evaluate")
    tab.get_by_text("The demo", exact=True).click()
    press(tab, "e")
    expect(tab.locator("#estimate")).to_contain_text("35 test cases", timeout=60_000)
    expect(tab.locator("#estimate")).to_contain_text("cost")


def test_preview_shows_the_first_cases_under_the_fields_they_got(pages: Site, tab: Page) -> None:
    tab.goto(f"{pages.url}/evaluate")
    tab.get_by_text("Paste", exact=True).click()
    rows = "\n".join(f"q{number},a{number},hr" for number in range(12))
    tab.fill("#paste", f"question,answer,team\n{rows}")
    tab.get_by_role("button", name="Preview").click()
    table = tab.locator("#preview table")
    expect(table.locator("tbody tr")).to_have_count(10)
    assert table.locator("th").all_inner_texts() == ["#", "input", "actual_output", "metadata"]
    expect(table.locator("tbody tr").first).to_contain_text("team=hr")
    tab.fill("#paste", "")
    tab.get_by_role("button", name="Preview").click()
    expect(tab.locator("#preview .alert")).to_contain_text("Nothing is pasted")


def test_columns_of_other_names_are_mapped_on_the_page(pages: Site, tab: Page) -> None:
    tab.goto(f"{pages.url}/evaluate")
    tab.get_by_text("Paste", exact=True).click()
    tab.fill("#paste", "prompt,reply,wanted\nq,x,x\nr,y,z")
    press(tab, "Escape", "p")
    expect(tab.locator("#preview .alert")).to_contain_text("prompt")
    for field, column in (("input", "prompt"), ("actual_output", "reply"), ("expected_output", "wanted")):
        with tab.expect_response("**/evaluate/preview"):
            tab.get_by_label(field, exact=True).select_option(column)
        expect(tab.get_by_label(field, exact=True)).to_have_value(column)
    table = tab.locator("#preview table")
    assert table.locator("th").all_inner_texts() == ["#", "input", "actual_output", "expected_output"]
    expect(tab.locator("#preview")).to_contain_text(
        "--map input=prompt,actual_output=reply,expected_output=wanted"
    )
    tab.get_by_text("only these").click()
    tab.get_by_text("other metrics").click()
    tab.check("#m-exact_match")
    tab.get_by_role("button", name="Start").click()
    tab.wait_for_url("**/runs/*")
    stored = pages.store.find(tab.url.rpartition("/")[2])
    wait_until(lambda: pages.store.line(stored).progress.state == "complete")
    assert pages.store.line(stored).metrics[0].figure.mean == 0.5
    again = client.post(f"{pages.url}/api/runs/{stored.run.id}/resume", params={"retry_failed": True})
    assert again.status_code < 400, again.text


def test_dataset_is_sent_with_its_columns_and_mapped_again_when_sent_earlier(pages: Site) -> None:
    file = {"file": ("faq.csv", b"prompt,reply\nq,x")}
    refused = client.post(f"{pages.url}/api/datasets", files=file)
    assert refused.status_code == 400
    sent = client.post(f"{pages.url}/api/datasets", files=file, data={"map": "question=prompt,answer=reply"})
    assert (sent.json()["cases"], sent.json()["columns"]) == (1, {"question": "prompt", "answer": "reply"})
    order = {"source": "earlier", "earlier": sent.json()["id"], "column.input": "reply"}
    assert ">x<" in client.post(f"{pages.url}/evaluate/preview", data=order).text.replace(" ", "")
    unknown = client.post(f"{pages.url}/api/datasets", files=file, data={"map": "reply=prompt"})
    assert unknown.status_code == 400
    assert "field of a test case" in unknown.text


def test_form_names_what_a_group_measures_and_finds_metrics(pages: Site, tab: Page) -> None:
    tab.goto(f"{pages.url}/evaluate")
    told = tab.locator(".in-preset:visible")
    expect(told).to_contain_text("What is ticked below is measured too.")
    tab.get_by_text("only these").click()
    expect(told).to_have_text("Only what is ticked below is measured.")
    press(tab, "/")
    tab.keyboard.type("toxic")
    expect(tab.locator(".offer:visible")).to_have_count(1)
    expect(tab.locator("#m-toxicity")).to_be_visible()


def test_embedded_judge_is_estimated_to_send_nothing(pages: Site) -> None:
    form = {"source": "demo", "preset": "", "metric": "faithfulness", "judge": "local"}
    assert "sends nothing" in client.post(f"{pages.url}/evaluate/estimate", data=form).text


def helpdesk(question: str, turns: list[dict[str, str]] | None = None) -> dict[str, str]:
    """The application that the owner's configuration names."""
    return {"answer": f"{len(turns or ())} turns: {question}"}


def test_application_of_the_configuration_answers_and_no_request_names_another(tmp_path: Path) -> None:
    settings = Settings(apps={"helpdesk": f"{__name__}:helpdesk"})
    rows = '{"input": "a", "expected_output": "0 turns: a"}\n{"input": "b", "expected_output": "x"}'
    with served(tmp_path / "runs.sqlite3", settings=settings) as site:
        assert 'name="app" value="helpdesk"' in client.get(f"{site.url}/evaluate").text
        begun = _begin(site, source="paste", paste=rows, app="helpdesk")
        assert _done(site, begun) == (2, 0.5)
        plan = site.store.find("last").run.plan
        assert plan.app == settings.apps["helpdesk"]
        refused = [
            _begin(site, source="paste", paste=rows, app=app)
            for app in (settings.apps["helpdesk"], "os:system", "http://127.0.0.1:1/ask", "cat /etc/passwd")
        ]
        assert [answer.status_code for answer in refused] == [400] * 4
        assert all("no application on offer" in answer.text for answer in refused)
