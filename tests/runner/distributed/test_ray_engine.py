"""A run on Ray: a cluster of its own, a cluster to join, a worker killed in the middle."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.launch import launched
from benchmarks.measure import Setting
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from benchmarks import lost_worker
from benchmarks.sections import section
from ragstone import Limits, Ray, evaluate
from ragstone.errors import BadOption, UsageError
from ragstone.event import Event, MeasurementStarted
from ragstone.judges import LLMJudge, ScriptedJudge
from ragstone.providers import OpenAI

pytest.importorskip("ray", reason="Ray is not installed: pip install 'ragstone[ray]'")
pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PLUG_INS = """
from dataclasses import dataclass
from ragstone.judges import Reply
from ragstone.metrics import Metric, Score
from ragstone.prompts import Statements


@dataclass(frozen=True, kw_only=True, repr=False)
class Length(Metric):
    needs = ("actual_output",)
    most: int = 10

    async def assess(self, case, ctx):
        return Score(value=min(1.0, len(case.actual_output) / self.most), reason="By the yard.")


class Terse:
    name = "terse"

    async def ask(self, prompt):
        return Reply(Statements(statements=()))
"""
CASES = [{"input": f"q{n}", "actual_output": f"a{n}", "expected_output": f"a{n % 10}"} for n in range(300)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster that is there already, with plug-ins on the path; its address.

    To start one takes ten seconds of CPU. `tests/test_permissions.py` has a run that starts its own.
    """
    import ray  # noqa: PLC0415  (slow to import)

    folder = tmp_path_factory.mktemp("plugins")
    folder.joinpath("house_plugins.py").write_text(PLUG_INS)
    sys.path.insert(0, str(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "none")  # of the benchmarks: workers read keys in their environment
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=10**8,
        )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()
    sys.path.remove(str(folder))


def lines(report: Any) -> list[dict[str, Any]]:
    return lost_worker.lines(report)


@pytest.mark.usefixtures("cluster")
def test_killed_ray_worker_loses_no_results() -> None:
    with launched(latency_ms=30.0, jitter_ms=10.0) as server:
        outcome = lost_worker.measure(server, count=40, concurrency=8)
    assert outcome.results == 40 * len(lost_worker.METRICS)
    assert len(outcome.workers) == 2
    assert len(outcome.killed) == 1
    assert outcome.equal
    assert not outcome.told_twice
    assert outcome.calls[1] <= outcome.calls[0] <= outcome.calls[1] + 8  # what was in flight


@pytest.mark.usefixtures("cluster")
def test_custom_metrics_and_judges_run_on_ray_by_spec(tmp_path: Path) -> None:
    metrics = ["house_plugins:Length(most=12)", "exact_match", "answer_relevancy"]
    asked = {"judge": "house_plugins:Terse", "concurrency": 4}
    there = evaluate(CASES, metrics, **asked, engine=Ray(workers=1), store=tmp_path / "runs.sqlite3")
    here = evaluate(CASES, metrics, **asked)
    assert lines(there) == lines(here)
    assert (len(there.cases), there.complete) == (300, True)
    assert [result.score for result in there.results[3]][:2] == [2 / 12, 1.0]


@pytest.mark.usefixtures("cluster")
def test_run_is_resumed_across_ray_and_local_engines(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    script = Script(statements=["a", "b"], verdicts=every("yes"))
    with serving(OpenAIServer(script)) as server:
        judge = LLMJudge(
            provider=OpenAI(api_key="sk-loopback", base_url=server.base_url),
            prices={"gpt-4o-mini": (9, 9, 9)},
        )
        cases, asked = CASES[:60], {"judge": judge, "store": store, "concurrency": 4}
        whole = evaluate(cases, ["answer_relevancy"], judge=judge)
        cost = whole.cost or 0.0
        asked_before = len(server.bodies)
        first = evaluate(cases, ["answer_relevancy"], **asked, engine="ray", limits=Limits(max_cost=cost / 3))
        assert not first.complete
        assert 0 < len(first.results) < 60
        assert first.cost is not None
        assert first.cost <= cost / 3
        second = evaluate(cases, **asked, resume="last", limits=Limits(max_cost=cost * 2 / 3))
        assert not second.complete
        third = evaluate(cases, **asked, resume="last", engine=Ray(workers=1))
        assert third.complete
        assert lines(third) == lines(whole)
        assert len(server.bodies) == 2 * asked_before


@pytest.mark.usefixtures("cluster")
def test_a_dataset_of_ray_data_is_streamed() -> None:
    import ray.data  # noqa: PLC0415  (slow to import)

    ray.data.DataContext.get_current().enable_progress_bars = False
    heard: list[Event] = []
    data = ray.data.from_items(CASES[:50])
    report = evaluate(data, ["exact_match"], engine=Ray(workers=1), listeners=[heard.append])
    assert lines(report) == lines(evaluate(CASES[:50], ["exact_match"]))
    assert sum(isinstance(event, MeasurementStarted) for event in heard) == 50


def test_the_command_joins_a_cluster(cluster: str, tmp_path: Path) -> None:
    data = tmp_path / "cases.jsonl"
    data.write_text("".join(json.dumps(case) + "\n" for case in CASES[:5]))
    command = [
        str(Path(sys.executable).with_name("ragstone")),
        "run",
        str(data),
        "-m",
        "exact_match",
        "--output",
        "-",
    ]
    joined = [*command, "--ray-workers", "1", "--ray-address", cluster]
    there = subprocess.run(joined, capture_output=True, text=True, check=False)
    here = subprocess.run(command, capture_output=True, text=True, check=False)
    assert there.returncode == here.returncode == 0, there.stderr
    scores = [[json.loads(line)["score"] for line in done.stdout.splitlines()] for done in (there, here)]
    assert scores[0] == scores[1] == [1.0, 1.0, 1.0, 1.0, 1.0]


@pytest.mark.usefixtures("cluster")
def test_a_judge_that_cannot_be_copied_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(
        BadOption, match=r"The judge scripted cannot be sent to Ray's workers: a ScriptedJudge cannot be sent"
    ):
        evaluate(CASES[:1], ["answer_relevancy"], judge=ScriptedJudge(), engine="ray")


def test_the_benchmarks_run_on_ray_scores_every_case_alike(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", cluster)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(Path.home() / ".ray" / "auth_token"))  # it has another home
    *_, scored = section("ray").rows(Setting(cases=2, rounds=1, repeats=1, in_flight=4, large=1000))
    assert scored.met is True


def test_an_address_without_a_cluster_is_refused_at_once() -> None:
    script = "from ragstone import evaluate; evaluate('demo', ['exact_match'], engine='ray', ray_address='127.0.0.1:1')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "UsageError: There is no Ray cluster at '127.0.0.1:1'" in done.stderr


def test_invalid_engine_or_ray_options_are_refused() -> None:
    with pytest.raises(BadOption, match="ray_workers=2 applies only to Ray: add engine='ray'"):
        evaluate(CASES[:1], ["exact_match"], ray_workers=2)  # pyright: ignore[reportCallIssue]  (flat: read at run time)
    with pytest.raises(BadOption, match="engine='spark': write 'local', 'ray'"):
        evaluate(CASES[:1], ["exact_match"], engine="spark")  # pyright: ignore[reportArgumentType]
    with pytest.raises(BadOption, match="ray_workers=0"):
        evaluate(CASES[:1], ["exact_match"], engine="ray", ray_workers=0)  # pyright: ignore[reportCallIssue]  (flat: read at run time)
    with pytest.raises(UsageError):
        evaluate(CASES[:1], ["no_such_metric"], engine="ray")
