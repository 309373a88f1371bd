"""The API keeps to its description: whatever is sent, nothing breaks, and what is answered has the shape told."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from tests.dashboard import client
from tests.dashboard.runs import CASES, keep
from tests.dashboard.site import Site, served
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.testing.for_each import for_each

_ENDLESS = "/api/runs/{run}/stream"
_EXAMPLES = 2


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("store") / "runs.sqlite3") as site:
        for place in range(3):
            keep(site.store, name=f"v{place}")
        yield site


def _operations(site: Site) -> list[Any]:
    import schemathesis  # noqa: PLC0415  (slow to import)
    from schemathesis.core.result import Ok  # noqa: PLC0415

    schema = schemathesis.openapi.from_url(f"{site.url}/api/openapi.json")
    operations: list[Any] = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert operations
    return [operation for operation in operations if operation.path != _ENDLESS]


def test_generated_requests_cause_no_server_error(filled: Site) -> None:
    from schemathesis import GenerationMode  # noqa: PLC0415

    for operation in _operations(filled):
        for mode in GenerationMode:
            _bombard(operation, mode)
    assert client.get(f"{filled.url}/api/runs").status_code == 200


def _bombard(operation: Any, mode: Any) -> None:
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415
    from schemathesis.specs.openapi.checks import response_schema_conformance  # noqa: PLC0415

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],  # pyright: ignore[reportArgumentType]  (it does not say what it iterates over)
    )
    def bombard(case: Any) -> None:
        case.call_and_validate(checks=[not_a_server_error, response_schema_conformance])

    with suppress(Unsatisfiable):  # nothing can be wrong with a request that takes nothing
        bombard()


@for_each(
    "path",
    [
        "/api/runs/%00/results",
        "/api/runs?text=%00&tag=%00",
        "/api/runs/last/results?text=%00&tag=%ED%A0%80&metric=%00",
        "/api/runs/%ED%A0%80",
        "/runs/last?text=%00",
        "/?text=%00",
        "/api/runs/last/results?page=1000000&size=500",
        "/api/runs/last/results?flipped=%00",
        "/static/%00/%00",
    ],
)
def test_null_and_surrogate_characters_in_urls_cause_no_server_error(filled: Site, path: str) -> None:
    assert client.get(filled.url + path).status_code < 500


@pytest.mark.parametrize("text", ['"\\ud800"', '"\\u0000"', "1e999", "NaN", '"(((((((((((((((((((("'])
@for_each("field", ["dataset", "name", "judge", "metrics", "max_cost", "tags", "no_such_field"])
def test_invalid_json_values_are_refused_with_a_client_error(filled: Site, field: str, text: str) -> None:
    body = f'{{"dataset": "none", "metrics": ["nothing"], "{field}": {text}}}'
    answer = client.post(f"{filled.url}/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500


def test_deeply_nested_json_is_refused_with_a_client_error(filled: Site) -> None:
    for path in ("/api/runs", "/api/estimates"):
        answer = client.post(
            filled.url + path, content="[" * 100_000, headers={"Content-Type": "application/json"}
        )
        assert 400 <= answer.status_code < 500


def test_run_figures_equal_the_report_summary(filled: Site) -> None:
    from ragstone.findings.stored import report_from_store  # noqa: PLC0415

    told = client.get(f"{filled.url}/api/runs/last").json()
    summary = report_from_store(filled.store, filled.store.find("last")).summary()
    for figures in told["figures"]:
        same = summary[figures["metric"]]
        assert figures["figure"] == {
            **asdict(same),
            "interval": asdict(same.interval),
            "pass_interval": asdict(same.pass_interval),
        }
        assert sum(figures["histogram"]) == same.n


def test_results_are_filtered_sorted_and_paged(filled: Site) -> None:
    address = f"{filled.url}/api/runs/last/results"
    below = client.get(address, params={"status": "missed", "size": 4, "page": 2}).json()
    assert (below["count"], [row["index"] for row in below["cases"]]) == (CASES // 2, [4, 5])
    assert client.get(address, params={"text": "QUESTION 7"}).json()["count"] == 1
    assert client.get(address, params={"sort": "nonsense"}).status_code == 422


def test_a_baseline_is_named_shown_and_forgotten(filled: Site) -> None:
    where = f"{filled.url}/api/baselines"
    run = filled.store.find("v0").run.id
    assert client.put(f"{where}/main", json={"run": "v0"}).json() == {"name": "main", "run": run}
    assert client.get(where).json() == [{"name": "main", "run": run}]
    assert client.get(f"{filled.url}/api/runs/v0").json()["baselines"] == ["main"]
    assert client.delete(f"{where}/main").status_code == 204
    assert client.delete(f"{where}/main").status_code == 404


def test_responses_do_not_contain_the_api_key(filled: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-key")
    for path in ("/api/judges", "/evaluate", "/api/openapi.json"):
        assert "very-secret" not in client.get(filled.url + path).text
    assert "openai" in {judge["spec"] for judge in client.get(f"{filled.url}/api/judges").json()}


def test_a_dataset_is_sent_estimated_and_run(filled: Site) -> None:
    rows = "\n".join(
        json.dumps({"input": f"q{n}", "actual_output": "a", "expected_output": "a"}) for n in range(5)
    )
    sent = client.post(f"{filled.url}/api/datasets", files={"file": ("../../etc/faq.jsonl", rows)}).json()
    assert (sent["cases"], sent["rejected"]) == (5, [])
    order = {"dataset": sent["id"], "metrics": ["exact_match"], "name": "from a script", "tags": ["t"]}
    assert client.post(f"{filled.url}/api/estimates", json=order).json()["calls"] == {
        "least": 0.0,
        "most": 0.0,
    }
    begun = client.post(f"{filled.url}/api/runs", json=order)
    assert begun.status_code == 201
    with client.stream("GET", f"{filled.url}/api/runs/{begun.json()['id']}/stream") as told:
        for line in told.iter_lines():
            if line.startswith("data: {") and json.loads(line[6:])["run"]["state"] == "complete":
                break
    run = client.get(f"{filled.url}/api/runs/{begun.json()['id']}").json()
    assert (run["dataset"], run["done"], run["metrics"][0]["figure"]["mean"]) == (
        "../../etc/faq.jsonl",
        5,
        1.0,
    )
    assert client.delete(f"{filled.url}/api/runs/{run['id']}").status_code == 204
    assert client.get(f"{filled.url}/api/runs/{run['id']}").status_code == 404


@pytest.mark.parametrize(
    "order",
    [
        {"dataset": "/etc/passwd"},
        {"dataset": "../../etc/passwd"},
        {"dataset": "demo", "judge": "os:system"},
        {"dataset": "demo", "judge": "tests.servers.script:Script"},
        {"dataset": "demo", "judge": "openai:gpt-4o"},
        {"dataset": "demo", "metrics": ["os.path:join"]},
        {"dataset": "demo", "metrics": ["json_correctness(expected_schema='os:system')"]},
        {"dataset": "demo", "metrics": ["semantic_similarity(embedder='http://evil.example')"]},
        {"dataset": "demo", "metrics": ["pattern_match(pattern='(a+)+$')"]},
        {"dataset": "demo", "preset": "no such"},
    ],
)
def test_dataset_judge_or_metric_not_on_offer_is_refused(
    filled: Site, monkeypatch: pytest.MonkeyPatch, order: dict[str, object]
) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    answer = client.post(f"{filled.url}/api/runs", json=order)
    assert answer.status_code == 400, answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("vendor", ["openai", "anthropic", "ollama"])
@pytest.mark.parametrize(
    "address", ["@{url}", "@{url}/v1", "gpt-4o@{url}/v1", "gpt-4o@https://evil.example/v1"]
)
def test_judge_spec_with_a_base_url_is_refused(
    filled: Site, monkeypatch: pytest.MonkeyPatch, vendor: str, address: str
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9" if variable == "OLLAMA_HOST" else "sk-secret")
    offered = client.get(f"{filled.url}/api/judges").json()
    assert vendor in {judge["spec"] for judge in offered if judge["takes_model"]}
    with serving(OpenAIServer()) as server:
        judge = f"{vendor}:{address.format(url=server.origin)}"
        answer = client.post(f"{filled.url}/api/runs", json={"dataset": "demo", "judge": judge, "limit": 1})
        assert (answer.status_code, "judge on offer" in answer.text) == (400, True)
        assert not server.requests
