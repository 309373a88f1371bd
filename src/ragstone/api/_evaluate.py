"""`evaluate` and `aevaluate` run an evaluation; `estimate` returns the calls, tokens and cost of one."""

from typing import TYPE_CHECKING, Any

from ragstone.api.options import EvaluateOptions, Metrics, read_options, with_options

if TYPE_CHECKING:
    from ragstone.findings import Report
    from ragstone.runner import RunEstimate


@with_options(EvaluateOptions)
def evaluate(data: object, metrics: Metrics = (), **options: Any) -> "Report":  # noqa: ANN401  (see `EvaluateOptions`)
    """Measure every metric on every test case of a dataset; works in a notebook too.

    Args:
        data: test cases or mappings of their fields, a path, `demo`, a data frame or a Hugging Face dataset.
        metrics: metrics, or their specs such as `faithfulness(threshold=0.8)`.
        options: the fields of `EvaluateOptions`, as keywords. The flat spelling of `limits` and `engine` works too:
            `max_cost=5`, `engine="ray", ray_workers=8`, `batch=True`.

    Returns:
        The report: results over test cases, in input order, of the list over metrics. A judge's failure becomes
        `Result.error`, a row that cannot be read one of `rejected`.

    Raises:
        UsageError: the evaluation cannot run, and nothing was asked of the judge: an unknown metric, a bad option, a
            dataset that cannot be opened, a field that no test case has.
        RunInterrupted: Ctrl-C; it carries the report on what was measured until then.
    """
    from ragstone.api.evaluation import Evaluation  # noqa: PLC0415  (`from ragstone import evaluate` is quick)
    from ragstone.blocking import run_blocking  # noqa: PLC0415  (likewise)

    evaluation = Evaluation(data, metrics, read_options("evaluate", options))
    try:
        return run_blocking(evaluation.run)
    except KeyboardInterrupt:
        interruption = evaluation.interruption()
        if interruption is None:
            raise
        raise interruption from None


@with_options(EvaluateOptions)
async def aevaluate(data: object, metrics: Metrics = (), **options: Any) -> "Report":  # noqa: ANN401  (see `EvaluateOptions`)
    """Measure every metric on every test case of a dataset; see `evaluate`, whose options it takes."""
    from ragstone.api.evaluation import Evaluation  # noqa: PLC0415  (`from ragstone import evaluate` is quick)

    return await Evaluation(data, metrics, read_options("aevaluate", options)).run()


@with_options(EvaluateOptions)
def estimate(data: object, metrics: Metrics = (), **options: Any) -> "RunEstimate":  # noqa: ANN401  (see `EvaluateOptions`)
    """Return the calls, tokens and dollars that `evaluate` would take. Nothing is sent, and no key is needed.

    Args:
        data: as for `evaluate`.
        metrics: likewise.
        options: likewise. Cached answers take nothing, batches cost half as much.

    Raises:
        UsageError: as for `evaluate`.
    """
    from ragstone.api.evaluation import estimate_run  # noqa: PLC0415  (`from ragstone import evaluate` is quick)

    return estimate_run(data, metrics, read_options("estimate", options))
