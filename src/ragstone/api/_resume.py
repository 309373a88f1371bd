"""The stored run that a call resumes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragstone.api._selection import select_metrics
from ragstone.api.options import EvaluateOptions, JudgeOption, Metrics
from ragstone.errors import BadOption
from ragstone.findings import Collector
from ragstone.metrics import Metric, parse
from ragstone.options import Batch, Engine
from ragstone.run import Plan, Run

if TYPE_CHECKING:
    from ragstone.api._store_sink import StoreSink
    from ragstone.store.read.resume import StoredResumeState

_KEPT_PLAN_FIELDS = (
    "metrics",
    "optional",
    "on_missing",
    "name",
    "tags",
    "dataset",
    "repeats",
    "app",
    "app_repeats",
    "app_settings",
    "sweep",
    "cluster",
    "flagged_only",
)
"""Fields of the plan that a resumed run keeps; the others, such as its limits, may change."""


def find_resumed_run(sink: "Collector | StoreSink", options: EvaluateOptions) -> "ResumeRequest":
    """Return the request to resume a run; an empty one if no run is resumed."""
    if options.resume is None:
        if options.retry_failed:
            raise BadOption(
                "retry_failed=True measures the failures of a run again: name the run with resume=…"
            )
        return ResumeRequest()
    if isinstance(sink, Collector):
        raise TypeError("a run in memory cannot be resumed")
    return ResumeRequest(*sink.resume(options.resume, retry_failed=options.retry_failed))


class ResumeRequest(NamedTuple):
    """The run that is resumed, if any, and its results and answers so far."""

    run: Run | None = None
    past: "StoredResumeState | None" = None

    def engine(self, given: Engine | None) -> Engine:
        """Return the engine; a run started in batches goes on in batches: some of them may still be with the vendor."""
        started = self.run is not None and self.run.plan.batch
        if not started or isinstance(given, Batch):
            return given or "local"
        if given is not None:
            raise BadOption(
                "The run was started in batches, and requests that the vendor already has would be paid for twice: "
                "leave engine out (--no-batch), or start a new run."
            )
        return Batch(interval=self.run.plan.batch_interval) if self.run else Batch()

    def combine(self, given: bool) -> bool:  # noqa: FBT001  (as the other options)
        """Return whether prompts are combined: as the run was started."""
        return given if self.run is None else self.run.plan.combine

    def judge(self, given: JudgeOption) -> JudgeOption:
        """Return the judge to ask: the given one, or the one that was asked before."""
        return self.run.plan.judge if given is None and self.run is not None else given

    def metrics(
        self, given: Metrics, preset: str | Sequence[Metric] | None, threshold: float | None = None
    ) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
        """Return the metrics of the run that is resumed; else the named ones, and those of the preset."""
        if self.run is None:
            return select_metrics(given, preset, threshold)
        plan = self.run.plan
        run_metrics = tuple(parse(spec) for spec in plan.metrics)
        # Where no answer of an application is known yet, metrics of a preset may still be left out.
        optional = tuple(
            metric for metric in run_metrics if plan.app is not None and metric.spec in plan.optional
        )
        kept = tuple(metric for metric in run_metrics if metric not in optional), optional
        if preset is None and not given:
            return kept
        named, optional = select_metrics(given, preset, threshold)
        if not {*run_metrics} <= {*named, *optional}:
            specs = ", ".join(metric.spec for metric in run_metrics)
            raise BadOption(
                f"A resumed run keeps its metrics: give none, or those it was started with: {specs}"
            )
        return kept

    def continue_run(self, plan: Plan) -> Run:
        """Return the run with a plan that may differ in pace and limits only."""
        if self.run is None:
            raise AssertionError
        old_plan = self.run.plan
        for what, old, new in (
            ("judge", old_plan.judge, plan.judge),
            ("wording of the prompts", old_plan.prompts, plan.prompts),
        ):
            if old != new:
                raise BadOption(
                    f"The run {self.run.id} was started with another {what} ({old!r}, now {new!r}): start a new run."
                )
        kept_fields = {name: getattr(old_plan, name) for name in _KEPT_PLAN_FIELDS}
        return self.run.model_copy(update={"plan": plan.model_copy(update=kept_fields)})
