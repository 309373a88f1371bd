"""The areas under attack: each yields attempts, as a name and a callable that must end as expected."""

import asyncio
import gzip
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast
from urllib.parse import quote

import httpx
from starlette.routing import Route

from benchmarks.attack.inputs import TEXTS, text, value
from ragstone import TestCase
from ragstone.config import Settings, read_settings
from ragstone.dashboard import create_app
from ragstone.dashboard.context import AppContext
from ragstone.datasets import read_dataset
from ragstone.errors import RagstoneError, UsageError
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.judges import LLMJudge
from ragstone.judges.local.contradiction import contradiction
from ragstone.judges.local.correctness import correctness
from ragstone.judges.local.relevance import passage_relevance
from ragstone.judges.local.similarity import similarity
from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import support
from ragstone.judges.local.usefulness import usefulness
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import options
from ragstone.metrics.base.outside import WORDS, check_outside
from ragstone.metrics.base.parse import find_metric, parse
from ragstone.prompts import ExtractClaims, JudgeClaims, Prompt, RatePassage
from ragstone.providers import Completion, Request
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.store import Store, open_store

Attempt = tuple[str, Callable[[], None]]
Area = Callable[[Path, Random, int], Iterator[Attempt]]


def specs(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Metric specs from outside: forbidden values at any option and depth, and specs that are not specs."""
    del folder
    places = [(name, option) for name in BUILT_IN for option in options(find_metric(name))]

    def tried(spec: str, option: str) -> None:
        with suppress(UsageError):
            check_outside(spec)
            if option not in WORDS:
                parse(spec)  # an accepted spec must be built without a finding of the audit hook

    for number in range(count):
        name, option = rng.choice(places)
        spec = f"{name}({option}={value(rng)!r})" if number % 5 else text(rng)
        for _ in range(rng.randrange(3)):
            tree = {"question": "q", "answers": {"a": {"metric": spec}, "b": 1}}
            spec = f"decision_tree(name='x', tree={tree!r})"
        yield spec[:200], lambda spec=spec, option=option: tried(spec, option)


def texts(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Texts under evaluation, through every function of the embedded judge."""
    del folder
    short = "The Orrin Bridge is 330 metres long and was not built by Ann Lee in 1911."
    functions: tuple[Callable[[str], object], ...] = (
        claims,
        lambda given: support([given], [short]),
        lambda given: support([short], [given, given]),
        lambda given: contradiction(given, [short]),
        lambda given: correctness("How long?", given, short),
        lambda given: passage_relevance(given, [short]),
        lambda given: usefulness("How long?", given, [short]),
        lambda given: similarity(given, short),
    )
    for number in range(count):
        given = text(rng)
        yield (
            repr(given[:60]),
            lambda given=given, number=number: _ignored(functions[number % len(functions)](given)),
        )


def datasets(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Files passed as datasets."""
    for number in range(count):
        kind = rng.choice((".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz"))
        rows = [value(rng) for _ in range(rng.randrange(1, 5))]
        written = "\n".join(json.dumps({"input": text(rng), "actual_output": row}) for row in rows)
        content = rng.choice((written, json.dumps(rows), text(rng) * 3, ",".join(TEXTS[:12]))).encode(
            "utf-8", "replace"
        )
        path = folder / f"d{number % 8}{kind}"

        def tried(path: Path = path, content: bytes = content) -> None:
            path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
            with suppress(UsageError):
                for _ in read_dataset(str(path)):
                    pass

        yield f"{path.name}: {content[:80]!r}", tried


def configurations(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Configuration files and environment variables."""
    names = [*Settings.model_fields, "no_such_setting"]
    for number in range(count):
        name, given = rng.choice(names), value(rng)
        with suppress(ValueError, TypeError):
            content = f"{name} = {json.dumps(given)}\n" if number % 3 else text(rng)
            variables = {f"RAGSTONE_{name.upper()}": json.dumps(given)} if number % 2 else {}

            def tried(content: str = content, variables: dict[str, str] = variables) -> None:
                (folder / "ragstone.toml").write_text(content, "utf-8", errors="replace")
                with suppress(UsageError):
                    read_settings(start=folder, environment=variables)

            yield f"{content[:80]!r} {variables}", tried


@dataclass(frozen=True)
class _Hostile:
    """A provider whose server returns arbitrary answers."""

    reply: str
    name = "hostile"
    model = "hostile"
    supports_structured_outputs = True
    supports_log_probs = False
    supports_multimodal = False

    async def complete(self, request: Request) -> Completion:
        del request
        return Completion(self.reply, Usage(calls=1), self.model)


def replies(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Responses of a judge's server."""
    del folder
    prompts: tuple[Prompt[Any], ...] = (
        JudgeClaims(evidence_texts=("a passage",), claims=("one", "two")),
        ExtractClaims(text="One. Two."),
        RatePassage(input="q", passage="p"),
    )
    keys = ("verdicts", "claims", "reason", "score", "verdict", "rating", "label", "items")
    for number in range(count):
        if number % 3:
            reply = json.dumps({rng.choice(keys): value(rng) for _ in range(rng.randrange(1, 4))})
        else:
            reply = text(rng)

        def tried(reply: str = reply, number: int = number) -> None:
            judge = LLMJudge(provider=_Hostile(reply), attempts=2)
            with suppress(RagstoneError):
                asyncio.run(judge.ask(cast("Prompt[Any]", prompts[number % len(prompts)])))

        yield repr(reply[:80]), tried


def page(folder: Path, rng: Random, count: int) -> Iterator[Attempt]:
    """Requests to every route of the page and its API, without a network."""
    os.environ["OPENAI_API_KEY"] = "sk-planted-by-attack"
    store = open_store(folder / "runs.sqlite3")
    _keep_run(store)
    app = create_app(AppContext(store, address=folder / "runs.sqlite3", folder=folder / "uploads"))
    routes = sorted(
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if not route.path.endswith(("/live", "/stream"))  # these end only with the server
    )
    transport = httpx.ASGITransport(app=app)
    parameters = (
        "text",
        "tag",
        "judge",
        "metric",
        "since",
        "until",
        "state",
        "page",
        "sort",
        "flipped",
        "runs",
        "size",
    )
    fields = (
        "dataset",
        "metrics",
        "preset",
        "judge",
        "name",
        "tags",
        "limit",
        "index",
        "verdict",
        "annotator",
        "run",
    )

    async def sent(method: str, path: str, **more: Any) -> None:  # noqa: ANN401  (those of httpx)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.request(method, path, **more)
        if answer.status_code >= 500:
            raise AssertionError(f"{answer.status_code}: {answer.text[:200]}")
        if "sk-planted" in answer.text or "root:" in answer.text:
            raise AssertionError("the answer holds a secret")

    for number in range(count):
        method, path = routes[number % len(routes)]
        for name in ("{run}", "{index}", "{place}", "{name}", "{version}"):
            filled = rng.choice(("last", "0", quote(text(rng)[:200], safe="", errors="replace") or "x"))
            path = path.replace(name, filled)
        query = {
            rng.choice(parameters): text(rng)[:300].encode("utf-8", "replace").decode() for _ in range(3)
        }
        more: dict[str, Any] = {"params": query}
        if method in {"POST", "PUT"}:
            body = {rng.choice(fields): value(rng) for _ in range(4)}
            more |= rng.choice(({"content": json.dumps(body), "headers": {"content-type": "application/json"}},
                                {"data": {key: repr(item)[:500] for key, item in body.items()}}))  # fmt: skip
        yield (
            f"{method} {path[:80]} {more}"[:300],
            lambda method=method, path=path, more=more: asyncio.run(sent(method, path, **more)),
        )
    store.close()


def _keep_run(store: Store) -> None:
    run = Run.begin(Plan(metrics=("faithfulness",), judge="local", name="kept"))
    recorder = store.recorder()
    recorder(RunStarted(run, 3))
    measured: dict[str, Any] = {"metric": "Faithfulness", "spec": "faithfulness", "judge": "local"}
    for index in range(3):
        case = TestCase(input=f"question {index}", actual_output=TEXTS[index + 8], retrieval_context=("p",))
        result = Result(**measured, score=0.5, success=True, case_id=case.id)
        recorder(MeasurementFinished(index, 0, case, result))
    recorder(RunFinished(run, complete=True, why=""))


def _ignored(_: object) -> None:
    """Ignore the response: only its arrival matters."""


AREAS: dict[str, tuple[Area, int]] = {
    "metric specs": (specs, 3_000),
    "texts": (texts, 1_600),
    "datasets": (datasets, 1_500),
    "configuration": (configurations, 1_000),
    "judges' replies": (replies, 2_000),
    "page and API": (page, 2_500),
}
"""Each area with the number of inputs to try."""
