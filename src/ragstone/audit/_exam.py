"""Examine a judge on packaged cases whose right verdicts are known."""

from typing import Any

from ragstone.api import evaluate
from ragstone.audit.judge_trials import judge_card
from ragstone.errors import BadOption
from ragstone.findings.exam import DATASET, METRICS, TAG, ExamReport
from ragstone.judges import JudgeLike, get_judge
from ragstone.prompts import ReviewCase


def exam(
    judge: str | JudgeLike | None = None,
    *,
    limit: int | None = None,
    biases: bool = False,
    **options: Any,  # noqa: ANN401  (those of `evaluate`, passed on)
) -> ExamReport:
    """Examine a judge: may its verdicts on cases be acted on?

    The cases are packaged: questions, passages and answers of 24 domains, half of the answers with one flaw, written
    for this and read by a second person. Half of them have an expected output. One judge call a case.

    Args:
        judge: a judge or its spec; the embedded judge where None.
        limit: only the first cases; any beginning holds both kinds.
        biases: also test it for bias and consistency, see `judge_card`.
        options: further options of `evaluate`: `store`, `concurrency`, `timeout`, `cache`, `listeners` …

    Raises:
        UsageError: the arguments are invalid; no request was sent to the judge.
    """
    examined = get_judge(judge, offline=bool(options.get("offline")))
    answering = examined.judge_of(ReviewCase)
    if answering != examined.name:
        raise BadOption(
            f"The exam consists of reviews of cases, which {examined.name} passes on to {answering}: examine that "
            "judge, and measure this one on labelled claims, with `ragstone agree LABELLED --prompt judge_claims`."
        )
    report = evaluate(DATASET, METRICS, judge=judge, limit=limit, name=TAG, tags=(TAG,), **options)
    others = {name: value for name, value in options.items() if name != "store"}
    return ExamReport(
        report=report, biases=judge_card(judge=judge, limit=limit, **others) if biases else None
    )
