"""What a request may not do: reach files or code, remove another run than it names, hold the server up."""

import gzip
from datetime import date

import pytest
from tests.dashboard import client
from tests.dashboard.runs import keep
from tests.dashboard.site import Site

FORBIDDEN = [
    "decision_tree(name='x', tree='/etc/passwd')",
    "decision_tree(name='x', tree={'question': 'q', 'answers': {'a': {'metric': 'os:system'}, 'b': 1}})",
    "decision_tree(name='x', tree={'question': 'q', 'answers': {'a': {'metric': 'venv.__main__:X'}, 'b': 1}})",
    "decision_tree(name='x', tree={'question': 'q', 'answers': {'a': {'metric': 'pattern_match'}, 'b': 1}})",
    "semantic_similarity(embedder='os:system')",
    "json_correctness(expected_schema='/etc/passwd')",
    "pattern_match(pattern='(a|aa)+')",
    "os:system",
    "faithfulness(" + "(" * 500,
]


@pytest.mark.parametrize("spec", FORBIDDEN)
@pytest.mark.parametrize("path", ["/api/estimates", "/api/runs"])
def test_forbidden_metric_spec_is_refused(site: Site, spec: str, path: str) -> None:
    answer = client.post(site.url + path, json={"dataset": "demo", "judge": "local", "metrics": [spec]})
    assert answer.status_code in (400, 422)
    assert "root:" not in answer.text


def test_only_the_whole_id_of_a_run_removes_it(site: Site) -> None:
    precious = keep(site.store, name="precious").run.id
    namesake = keep(site.store, name=precious).run.id
    for wanted in ("precious", precious[:8], "last", "2"):
        assert client.delete(f"{site.url}/api/runs/{wanted}").status_code == 404
        assert client.post(f"{site.url}/runs/delete", data={"runs": wanted}).status_code == 404
    assert client.post(f"{site.url}/runs/delete", data={"runs": ""}).status_code in (404, 422)
    client.delete(f"{site.url}/api/runs/{namesake}").raise_for_status()
    assert site.store.find(precious).run.id == precious


@pytest.mark.parametrize("day", [date.min, date.max])
@pytest.mark.parametrize("field", ["since", "until"])
def test_earliest_and_latest_dates_are_valid_filters(site: Site, field: str, day: date) -> None:
    assert client.get(f"{site.url}/api/runs", params={field: day.isoformat()}).status_code == 200


def test_gzip_bomb_of_invalid_rows_is_refused(site: Site) -> None:
    junk = gzip.compress(b"x\n" * 3_000_000)
    answer = client.post(f"{site.url}/api/datasets", files={"file": ("junk.jsonl.gz", junk)})
    assert answer.status_code == 400
    assert len(answer.text) < 2_000


def test_rows_that_cannot_be_read_are_counted_and_few_are_kept(site: Site) -> None:
    rows = b'{"input": "q", "actual_output": "a"}\n' + b"x" * 100_000 + b"\n" + b"x\n" * 50
    answer = client.post(f"{site.url}/api/datasets", files={"file": ("some.jsonl", rows)}).json()
    assert (answer["cases"], len(answer["rejected"])) == (1, 5)
    assert all(len(text) <= 1_000 for text in answer["rejected"])


def test_stream_with_a_future_serial_does_not_reset_other_streams(site: Site) -> None:
    run = keep(site.store).run.id
    stream = f"{site.url}/api/runs/{run}/stream"
    last = client.get(f"{site.url}/api/runs/{run}").json()["serial"]
    with client.stream("GET", stream, params={"since": 2**53}) as ahead:
        lines = ahead.iter_lines()
        next(lines)
        with client.stream("GET", stream, params={"since": last}) as other:
            told = next(line for line in other.iter_lines() if line.startswith("data:"))
    assert '"whole": false' in told
