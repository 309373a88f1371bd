"""Runs as a recorder keeps them, with verdicts, exchanges and whatever text a test puts everywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.findings.sample import POLICY, claims, result

from ragstone.case import TestCase
from ragstone.event import JudgeCalled, MeasurementFinished, RunFinished, RunStarted
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.store import Store, StoredRun

ANSWER = "Remote work exists. You can work from home five days a week. The company pays a bicycle."


@dataclass(frozen=True)
class StoredReply:
    """A question and its answer, as the judges write it down."""

    key: str
    written: str
    request: str


def keep(
    store: Store,
    cases: Sequence[TestCase],
    results: Sequence[Sequence[Result]],
    asked: Sequence[JudgeCalled] = (),
    **plan: Any,
) -> StoredRun:
    """Keep a run that has measured those cases."""
    wanted = {
        "metrics": tuple(one.spec for one in results[0]),
        "judge": "openai:gpt-4o-mini",
        "name": "faq-bot",
    }
    run = Run.begin(Plan(**{**wanted, **plan}))
    recorder = store.recorder()
    recorder(RunStarted(run, len(cases) * len(results[0])))
    for index, (case, row) in enumerate(zip(cases, results, strict=True)):
        for place, one in enumerate(row):
            recorder(MeasurementFinished(index, place, case, one))
    for one in asked:
        recorder(one)
    recorder(RunFinished(run, complete=True))
    return store.find(run.id)


def policy_case(number: int, answer: str = ANSWER, **fields: Any) -> TestCase:
    given = {
        "input": f"How many days a week can I work from home, as of year {number}?",
        "actual_output": answer,
        "expected_output": "Up to 3 days per week.",
        "retrieval_context": POLICY,
        "name": f"remote-{number}",
        "tags": ("hr",),
        "id": f"case-{number}",
    }
    return TestCase(**{**given, **fields})


def policy_results(case: TestCase, score: float = 1 / 3) -> list[Result]:
    ranked = [
        {
            "statement": text,
            "verdict": word,
            "reason": "It says so." if word == "yes" else None,
            "passage": number,
        }
        for number, (text, word) in enumerate(zip(POLICY, ("yes", "yes", "no"), strict=True), 1)
    ]
    return [
        result(case, score, reason="1 of 3 claims is supported. Contradicted: one.", metadata=claims()),
        result(
            case,
            1.0,
            metric="ContextualPrecision",
            reason="2 of 3 are useful.",
            metadata={"verdicts": ranked},
        ),
        result(case, None, metric="Helpful", error="TimedOut: not measured within 30 s"),
    ]


def exchange(
    case_index: int = 0, *, request: str = "Is each claim true?", response: str = '{"verdicts": ["no"]}'
) -> JudgeCalled:
    from ragstone.judges.asking.stored_reply import StoredReply as Reply  # noqa: PLC0415  (as the judges write it)

    clean = response.encode("utf-8", "replace").decode()
    written = Reply(response=clean, extras={}, usage=Usage(calls=1), cost=0.002).model_dump_json()
    usage = Usage(calls=1, input_tokens=120, output_tokens=14)
    kept = StoredReply(f"{case_index:032x}", written, request)
    return JudgeCalled(
        "JudgeClaims", "openai:gpt-4o-mini", usage, 0.002, 840.0, case_index=case_index, exchange=kept
    )


def policy_run(store: Store, number: int = 3, **plan: Any) -> StoredRun:
    """Keep a run of so many like cases."""
    cases = [policy_case(one) for one in range(1, number + 1)]
    return keep(store, cases, [policy_results(case) for case in cases], [exchange()], **plan)


def two_versions(store: Store, number: int = 40) -> tuple[StoredRun, StoredRun]:
    """Keep two runs: in the second a third of the cases fell below the threshold, and the judge is another."""
    kept: list[StoredRun] = []
    for version, judge in (("v1", "openai:gpt-4o-mini"), ("v2", "local")):
        cases = [policy_case(one, f"Answer {version}: {ANSWER}") for one in range(1, number + 1)]
        scores = [1.0 if version == "v1" or place % 3 else 0.2 for place in range(number)]
        results = [
            [result(case, score, reason="so", metadata=claims())]
            for case, score in zip(cases, scores, strict=True)
        ]
        kept.append(keep(store, cases, results, name=version, judge=judge))
    return kept[0], kept[1]
