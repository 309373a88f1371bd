"""One run holds all five statuses: every surface tells each count, and the same one."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest
from tests.cli.command import invoke, rows
from tests.cli.planned_statuses import ANSWERS, COUNTS, PlannedStatus
from tests.dashboard import client
from tests.dashboard.site import Site, served
from tests.traces.otlp_requests import otlp_span, request

from ragstone.findings.load import load_report
from ragstone.guard import Guard
from ragstone.push.scores import outgoing_scores
from ragstone.status import STATUSES, Status
from ragstone.store.queue.trace_queue import open_queue
from ragstone.traces import parse_request

SPEC = f"{PlannedStatus.__module__}:PlannedStatus"
SURE = COUNTS["passed"] + COUNTS["missed"]
N = SURE + COUNTS["undecided"]


class Run(NamedTuple):
    """The run: its store, its output on the terminal, its files, its exit code."""

    store: Path
    folder: Path
    printed: str
    exit_code: int

    def file(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("five")
    cases = [{"input": f"Question {n}?", "actual_output": answer} for n, answer in enumerate(ANSWERS)]
    outputs = [
        f"--output={folder / name}" for name in ("r.md", "r.html", "r.json", "r.jsonl", "r.csv", "r.xml")
    ]
    store = folder / "runs.sqlite3"
    asked = ("run", rows(folder, *cases), "-m", SPEC, "--judge", "local", "--store", store, *outputs)
    done = invoke(*asked)
    return Run(store, folder, done.stdout, done.exit_code)


@pytest.fixture(scope="module")
def site(run: Run) -> Iterator[Site]:
    with served(run.store) as opened:
        yield opened


def told(text: str, *statuses: Status, swapped: bool = False) -> list[Status]:
    """Return the statuses whose count a text tells, as `5 undecided`, or as `undecided 5` in a column."""
    flat = " ".join(text.split())
    pattern = r"\b{word}\W+{count}\b" if swapped else r"\b{count} (?:scores? |results? |cases? )?{word}\b"
    return [
        status
        for status in statuses
        if re.search(pattern.format(word=status.replace("_", " "), count=COUNTS[status]), flat)
    ]


def test_exit_code_says_that_something_was_not_measured(run: Run) -> None:
    assert run.exit_code == 3


def test_console_tells_range_counts_and_pass_rate(run: Run) -> None:
    counted = ("undecided", "not_measured", "skipped")
    assert told(run.printed, *counted, swapped=True) == [*counted]
    assert f"{COUNTS['missed']} of {SURE} scores miss their threshold" in run.printed
    assert f"n {N}" in run.printed
    assert "passed 48 %" in run.printed  # 11 of 23
    assert "0.48 to 0.70" in run.printed


def test_html_tells_the_same_as_the_console(run: Run) -> None:
    text = shown_text(run.file("r.html"))
    counted = ("undecided", "not_measured", "skipped")
    assert told(text, *counted, swapped=True) == [*counted]
    assert f"n {N}" in text
    assert "0.48 to 0.70" in text
    assert "passed 48 %" in text
    assert f"{COUNTS['missed']} of {SURE} scores miss their threshold" in text


def test_markdown_tells_the_same_as_the_console(run: Run) -> None:
    heading, figures = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in run.file("r.md").splitlines()
        if line.startswith(("| metric", "| PlannedStatus"))
    )
    row = dict(zip(heading, figures, strict=True))
    assert (row["mean"], row["n"]) == ("0.48 to 0.70", str(N))
    assert row["passed"].startswith("48 %")
    for status in ("undecided", "not_measured", "skipped"):
        assert row[status.replace("_", " ")] == str(COUNTS[status])
    assert f"{COUNTS['missed']} of {SURE} scores miss their threshold" in run.file("r.md")


def test_machine_formats_hold_one_status_a_result(run: Run) -> None:
    lines = [json.loads(line) for line in run.file("r.jsonl").splitlines()]
    assert Counter(line["status"] for line in lines) == COUNTS
    assert Counter(row["status"] for row in csv.DictReader(run.file("r.csv").splitlines())) == COUNTS
    document = json.loads(run.file("r.json"))
    assert counts_of(document["summary"]["PlannedStatus"]) == COUNTS
    assert Counter(result["status"] for case in document["cases"] for result in case["results"]) == COUNTS


def test_junit_has_failures_errors_and_skips(run: Run) -> None:
    (suite,) = ET.fromstring(run.file("r.xml"))  # noqa: S314  (written by the run above)
    assert (suite.get("failures"), suite.get("errors")) == (
        str(COUNTS["missed"]),
        str(COUNTS["not_measured"]),
    )
    assert suite.get("skipped") == str(COUNTS["undecided"] + COUNTS["skipped"])
    marked = [node.get("message", "") for node in suite.iter("skipped")]
    assert sum(message.startswith("undecided") for message in marked) == COUNTS["undecided"]
    properties = {node.get("name"): node.get("value") for node in suite.iter("property")}
    assert {status: int(properties[status] or 0) for status in STATUSES} == COUNTS


def test_show_and_list_of_runs_tell_what_the_run_told(run: Run) -> None:
    shown = invoke("show", "last", "--store", run.store)
    assert shown.stdout == run.printed
    counted = ("undecided", "not_measured", "skipped")
    listed = invoke("runs", "--store", run.store).stdout
    assert told(listed, *counted) == [*counted]
    assert "0.48 to 0.70" in listed
    assert "48 % passed" in " ".join(listed.split())
    (line,) = json.loads(invoke("runs", "--store", run.store, "--json").stdout)
    assert counts_of(line["metrics"][0]) == COUNTS


def test_explain_counts_cases_by_status(run: Run) -> None:
    done = invoke("explain", "last", "--store", run.store, "--output", run.folder / "why.json")
    assert told(done.stdout, "undecided", "not_measured", "skipped") == [
        "undecided",
        "not_measured",
        "skipped",
    ]
    assert f"{COUNTS['missed']} of {COUNTS['missed']} misses" in done.stdout
    why = json.loads(run.file("why.json"))
    found = {status: why[status] for status in STATUSES if status != "passed"}
    assert found == {status: count for status, count in COUNTS.items() if status != "passed"}
    assert round(why["passed"]["value"] * why["cases"]) == COUNTS["passed"]


def test_gate_counts_what_was_not_measured(run: Run) -> None:
    asked = ("gate", run.folder / "r.json", "--results", "--baseline", run.folder / "baseline.json")
    refused = invoke(*asked, "--update")
    assert f"{COUNTS['not_measured']} of {len(ANSWERS) - COUNTS['skipped']}" in refused.stderr
    assert invoke(*asked, "--update", "--max-unmeasured", "1").exit_code == 0
    done = invoke(*asked, "--output", run.folder / "gate.json")
    assert done.exit_code == 1
    gate = json.loads(run.file("gate.json"))
    assert (gate["unmeasured"], gate["results"]) == (COUNTS["not_measured"], len(ANSWERS) - COUNTS["skipped"])
    assert gate["comparison"]["metrics"][0]["undecided"] == COUNTS["undecided"]


def test_page_and_api_tell_the_same(site: Site) -> None:
    counted = ("undecided", "not_measured", "skipped")
    (stored,) = site.store.runs()
    listed, page = (client.get(f"{site.url}{path}").text for path in ("/", f"/runs/{stored.run.id}"))
    in_row = re.search(r'title="(PlannedStatus: [^"]*)"', listed)
    assert in_row is not None
    for text in (in_row[1], shown_text(page)):
        assert told(text, *counted) == [*counted]
        assert "0.48 to 0.70" in text
    found = client.get(f"{site.url}/api/runs/{stored.run.id}").json()
    for figure in (found["metrics"][0]["figure"], found["figures"][0]["figure"]):
        assert counts_of(figure) == COUNTS


def test_search_of_cases_finds_each_status(site: Site) -> None:
    (stored,) = site.store.runs()
    for status, count in COUNTS.items():
        text = client.get(f"{site.url}/runs/{stored.run.id}?status={status}").text
        assert len(re.findall(r'id="case-\d+"', text)) == count, status
        assert "failed" not in shown_text(text).replace("--retry-failed", "")


def test_watch_tells_the_same_of_traces(tmp_path: Path) -> None:
    store = tmp_path / "traces.sqlite3"
    queue = open_queue(store)
    for number, answer in enumerate(ANSWERS, 1):
        values = {
            "openinference.span.kind": "CHAIN",
            "input.value": f"Question {number}?",
            "output.value": answer,
        }
        span = otlp_span(1, "answer", values, trace=f"{number:032x}")
        queue.put(list(parse_request(request([span])).records))
    queue.close()
    plan = tmp_path / "watch.toml"
    plan.write_text(f'metrics = ["{SPEC}"]\n[unit]\nsettle = 0\n[judge]\nattempts = 1\n')
    done = invoke("watch", plan, "--once", "--store", store, "--trust")
    assert done.exit_code == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith(SPEC))
    counted = ("undecided", "not_measured", "skipped")
    assert told(line, *counted) == [*counted]
    assert f"mean 0.48 to 0.70 (0.29 to 0.84) of {N}" in line
    with served(store) as site:
        text = shown_text(client.get(f"{site.url}/watch").text)
        assert told(text, *counted) == [*counted]
        (figures,) = client.get(f"{site.url}/api/watch").json()["metrics"]
        assert counts_of(figures["figure"]) == COUNTS


def test_events_scores_and_guard_use_the_same_words(run: Run) -> None:
    report = load_report(run.folder / "r.json")
    traced = [
        (case.model_copy(update={"metadata": {"traceparent": f"00-{n:032x}-{n:016x}-01"}}), result)
        for n, (case, result) in enumerate(report.flat(), 1)
    ]
    labels = Counter(score.label for score in outgoing_scores(traced, "r", 0) if score)
    assert labels == {status: count for status, count in COUNTS.items() if status != "skipped"}
    with Guard(PlannedStatus(), judge="local", budget_ms=60_000) as guard:
        outcomes = {
            answer: guard.check(case).outcome for (case, _), answer in zip(traced, ANSWERS, strict=True)
        }
    assert outcomes == {status: status for status in STATUSES}


def shown_text(page: str) -> str:
    """Return the text of a page, without its styles and scripts."""
    without = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", without).split())


def counts_of(values: dict[str, Any]) -> dict[str, int]:
    return {status: values[status] for status in STATUSES}
