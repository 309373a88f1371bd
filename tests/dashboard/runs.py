"""Runs to look at: kept in a store without a judge, and datasets with a judge that answers them."""

import json
from pathlib import Path

from tests.servers.script import Script, every

from ragstone import TestCase
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.store import Store, StoredRun

CASES = 12
METRICS = ("answer_relevancy", "faithfulness")


def keep(
    store: Store,
    scores: list[float | None] | None = None,
    *,
    name: str = "kept",
    texts: str = "",
    **plan: object,
) -> StoredRun:
    """Keep a run of two metrics, whose scores on the test cases are these; `texts` goes wherever a text can."""
    scores = [index / CASES for index in range(CASES)] if scores is None else scores
    said = {
        "judge": f"local{texts}",
        "name": f"{name}{texts}",
        "dataset": f"faq.jsonl{texts}",
        "tags": (f"t{texts}",),
    }
    run = Run.begin(Plan(metrics=METRICS, **{**said, **plan}), (f"a note{texts}",))  # type: ignore[arg-type]
    recorder = store.recorder()
    recorder(RunStarted(run, len(METRICS) * len(scores)))
    for index, score in enumerate(scores):
        case = TestCase(
            input=f"question {index}{texts}",
            actual_output=f"answer {index}{texts}",
            retrieval_context=(f"passage {index}{texts}",),
            tags=(f"tag{index % 2}{texts}",),
            name=f"case {index}{texts}",
        )
        for place, spec in enumerate(METRICS):
            recorder(MeasurementFinished(index, place, case, _result(case, spec, score, texts)))
    recorder(RunFinished(run, complete=True, why=texts))
    return store.find(run.id)


def _result(case: TestCase, spec: str, score: float | None, texts: str) -> Result:
    return Result(
        metric="".join(map(str.title, spec.split("_"))),
        spec=spec,
        score=score,
        success=score is not None and score >= 0.5,
        reason=f"because{texts}",
        error=None if score is not None else f"JudgeError: no answer{texts}",
        usage=Usage(calls=1, input_tokens=100, output_tokens=10),
        evaluation_cost=0.001,
        latency_ms=12.5,
        case_id=case.id,
        judge="local",
    )


def write_dataset(folder: Path, cases: int) -> Path:
    """Write a dataset of so many test cases."""
    rows = [
        {
            "input": f"How is question {index}?",
            "actual_output": f"Answer {index} is fine.",
            "retrieval_context": [f"Passage {index}."],
        }
        for index in range(cases)
    ]
    path = folder / "faq.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def judge_script() -> Script:
    """What a judge says to every question: one statement, and that it is right."""
    return Script(statements=["It is fine."], claims=["It is fine."], verdicts=every("yes"))
