"""Reports to render: a fixed one, and one with the same text, be it hostile, in every field."""

from datetime import UTC, datetime
from typing import Any

from ragstone.case import TestCase
from ragstone.findings import Report
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run

HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07\x1b[2J \x9b31m \u202egnip\u2066 \u2028line\x00\x08\x7f\ufffe "
    "<script>alert(1)</script><img src=x onerror=alert(1)></p></details></style></script><!-- --> "
    "[bold red]loud[/] [link=http://evil.example]x[/link] :smile: ]]> &lt; &#60; \" ' onmouseover='x' "
    "`code` | cell | **strong** _em_ ~~gone~~ $x$ ![i](http://evil.example/i.png) <http://evil.example> "
    "[a](javascript:alert(1)) http://evil.example www.evil.example @everyone me@evil.example #12 \\"
)

POLICY = (
    "Policy 4.2: Employees may work from home up to 3 days per week, as agreed with the team.",
    "Policy 4.3: Remote work must be approved by the direct manager in writing.",
    "The canteen opens at 11:30.",
)


def run(**plan: Any) -> Run:
    wanted = {
        "metrics": ("faithfulness", "contextual_precision"),
        "judge": "openai:gpt-4o-mini",
        "name": "faq-bot",
    }
    return Run(
        id="20261121T011612-a1b2c3",
        plan=Plan(**{**wanted, "dataset": "faq.jsonl", **plan}),
        started=datetime(2026, 11, 21, 1, 16, 12, tzinfo=UTC),
        notes=("ContextualRecall is left out: it needs expected_output, which no test case provides.",),
    )


def result(case: TestCase, score: float | None, *, metric: str = "Faithfulness", **fields: Any) -> Result:
    spec = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in metric).lstrip("_")
    higher = metric != "Hallucination"
    success = score is not None and (score >= 0.5 if higher else score <= 0.5)
    given = {"metric": metric, "spec": spec, "score": score, "success": success, "higher_is_better": higher}
    spent = {
        "usage": Usage(calls=3, input_tokens=900, output_tokens=80, cached_tokens=300),
        "evaluation_cost": 0.001,
    }
    return Result(
        **{**given, **spent, "case_id": case.id, "judge": "openai:gpt-4o-mini", "latency_ms": 12.0, **fields}
    )


def case(number: int) -> TestCase:
    return TestCase(
        input=f"How many days a week can I work from home, as of year {number}?",
        actual_output="You can work from home five days a week. The company pays a bicycle.",
        retrieval_context=POLICY,
        name=f"remote-{number}",
        id=f"case-{number}",
    )


def claims() -> dict[str, Any]:
    start = POLICY[0].index("up to")
    contradicted = {
        "statement": "You can work from home five days a week.",
        "verdict": "no",
        "reason": "The policy says up to 3 days.",
        "passage": 1,
        "span": [start, start + len("up to 3 days per week")],
        "probability": 0.02,
    }
    unmentioned = {
        "statement": "The company pays a bicycle.",
        "verdict": "idk",
        "reason": None,
        "passage": None,
        "span": None,
    }
    supported = {
        "statement": "Remote work exists.",
        "verdict": "yes",
        "reason": None,
        "passage": 2,
        "span": [0, 6],
    }
    return {"verdicts": [supported, unmentioned, contradicted]}


def fixed_report() -> Report:
    """Twelve cases, three metrics: one wrong, one not measured, one metric on four cases only."""
    cases = [case(number) for number in range(1, 13)]
    results = [
        [_faithful(item, number), _hallucinated(item, number), _helpful(item, number)]
        for number, item in enumerate(cases, 1)
    ]
    return Report(
        run=run(),
        cases=cases,
        results=results,
        rejected=["faq.jsonl, line 12: input: Field required"],
        seconds=34.2,
    )


def _faithful(item: TestCase, number: int) -> Result:
    if number == 3:
        return result(
            item, 1 / 3, reason="1 of 3 claims are supported. Contradicted: one.", metadata=claims()
        )
    if number in (5, 6):
        return result(item, None, error=f"TimedOut: not measured within {number}0 s")
    return result(item, 1.0 if number % 2 else 0.8, reason="All is well.")


def _hallucinated(item: TestCase, number: int) -> Result:
    return result(
        item, 2 / 3 if number == 4 else 0.0, metric="Hallucination", reason="It contradicts some contexts."
    )


def _helpful(item: TestCase, number: int) -> Result:
    if number > 4:
        return result(item, None, metric="Helpful", skipped=True, reason="Helpful needs 'tools_called'.")
    return result(item, 0.7, metric="Helpful", reason="It helps.", evaluation_cost=None)


def report_of(text: str) -> Report:
    """A report with `text` in every field that an outsider can fill."""
    item = TestCase(
        input=text,
        actual_output=text,
        expected_output=text,
        retrieval_context=(text, text),
        name=text,
        tags=(text,),
        metadata={"note": text},
        id="case-1",
    )
    verdicts = [
        {"statement": text, "verdict": word, "reason": text, "passage": 1, "span": [0, 5], "probability": 0.5}
        for word in ("no", "idk", "yes")
    ]
    metadata = {"verdicts": verdicts, text: text, "half a pair": "\ud83d"}
    results = [
        result(item, 0.2, reason=text, metadata=metadata),
        result(item, 0.9, metric="Hallucination", reason=text, metadata={"verdicts": verdicts}),
        result(item, 0.1, metric="Custom", spec=text, reason=text).model_copy(update={"metric": text}),
        result(item, None, metric="Failing", error=f"{text}: {text}"),
        result(item, None, metric="Skipping", skipped=True, reason=text),
    ]
    started = run(name=text, judge=text, dataset=text).model_copy(update={"notes": (text,)})
    return Report(run=started, cases=[item], results=[results], rejected=[text, text], seconds=1.0)
