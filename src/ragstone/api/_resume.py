"""The run that a call continues, and the sink that receives its results."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ragstone.api._metric_selection import select_metrics
from ragstone.errors import BadOption
from ragstone.judges import Judge
from ragstone.metrics import Metric, parse
from ragstone.reports import Collector
from ragstone.run import Plan, Run

if TYPE_CHECKING:
    from ragstone.api._run_sink import RunSink
    from ragstone.store.read.resume import StoredResumeState


def sink_and_resume_request(
    store: bool | str | Path | None,  # noqa: FBT001
    resume: str | None,
    retry_failed: bool,  # noqa: FBT001
) -> "tuple[RunSink, ResumeRequest]":
    """Return the sink for the results, and the run to be continued.

    Raises:
        BadOption: something is to be tried again, and no run is named.
    """
    if retry_failed and resume is None:
        raise BadOption(
            "retry_failed=True tries again what a run could not measure: name the run with resume=…"
        )
    if resume is None and (store is None or store is False):
        return Collector(), ResumeRequest()
    from ragstone.api._run_sink import StoreSink  # noqa: PLC0415  (a run without a store needs no database)

    sink = StoreSink(store)
    return sink, ResumeRequest(
        *sink.resume(resume, retry_failed=retry_failed)
    ) if resume is not None else ResumeRequest()


def durable_store(store: bool | str | Path | None) -> bool | str | Path:  # noqa: FBT001  (as users write it)
    """Return the store of a run whose batches outlive its process.

    Raises:
        BadOption: there is to be none.
    """
    if store is False:
        raise BadOption(
            "batch=True with store=False: batches that are paid for would be lost with the process. Name a store, or "
            "none for the file in the user's data folder."
        )
    return True if store is None else store


class ResumeRequest(NamedTuple):
    """The run that is to be continued, if any, and what it has done."""

    run: Run | None = None
    past: "StoredResumeState | None" = None

    def batch(self, given: bool | None) -> bool:  # noqa: FBT001  (as users write it)
        """Return whether to ask in batches: a run that was begun so may have some with the vendor.

        Raises:
            BadOption: it is not to be asked so any more.
        """
        begun = self.run is not None and self.run.plan.batch
        if begun and given is False:
            raise BadOption(
                "The run was begun in batches, and what is with the vendor would be asked for twice: leave batch out "
                "(--no-batch), or begin a new run."
            )
        return bool(given) or begun

    def judge(self, given: str | Judge | None) -> str | Judge | None:
        """Return the judge to ask: the one that is given, or the one that was asked before."""
        return self.run.plan.judge if given is None and self.run is not None else given

    def metrics(
        self, given: str | Metric | Iterable[str | Metric], preset: str | Sequence[Metric] | None
    ) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
        """Return the metrics of the run that is continued; else those asked for by name, and those of the preset.

        Raises:
            BadOption: others are given.
        """
        if self.run is None:
            return select_metrics(given, preset)
        known = tuple(parse(spec) for spec in self.run.plan.metrics)
        if preset is None and not given:
            return known, ()
        requested, optional = select_metrics(given, preset)
        if not {*known} <= {*requested, *optional}:
            specs = ", ".join(metric.spec for metric in known)
            raise BadOption(
                f"A resumed run keeps its metrics: name none, or those it was begun with: {specs}"
            )
        return known, ()

    def continue_run(self, plan: Plan) -> Run:
        """Return the run with a plan that may ask at another pace, but asks the same.

        Raises:
            BadOption: it would ask something else.
        """
        if self.run is None:
            raise AssertionError
        mine = self.run.plan
        for what, then, now in (
            ("judge", mine.judge, plan.judge),
            ("wording of the prompts", mine.prompts, plan.prompts),
        ):
            if then != now:
                raise BadOption(
                    f"The run {self.run.id} was begun with another {what} ({then!r}, now {now!r}): begin a new run."
                )
        kept = {"metrics", "optional", "on_missing", "name", "tags", "dataset", "repeats", "cluster"}
        return self.run.model_copy(
            update={"plan": plan.model_copy(update={item: getattr(mine, item) for item in kept})}
        )
