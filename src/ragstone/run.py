"""The plan of a run, which determines everything about it, and the run: one execution of a plan."""

from datetime import UTC, datetime
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from ragstone.options import ApplicationCalls, Combination, Limits, OnMissing, Pace, Repetition, RunLabels


class SweepPlan(BaseModel):
    """The sweep that a run belongs to: the settings of an application that are compared, and the rules.

    Attributes:
        name: its name, by which it is found in a store.
        settings: the settings of each run, as `NAME=VALUE`.
        rungs: how many questions each setting that is left has been asked after each rung; the last are all.
        error: greatest chance that a setting is dropped by one that is not better.
        objective: metric that is compared, as it was named; None for the first of the runs.
        metrics: specs of the metrics that were asked for, those of a preset included.
        questions: digest of the questions, in their order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    settings: tuple[tuple[str, ...], ...]
    rungs: tuple[int, ...]
    error: float
    objective: str | None = None
    metrics: tuple[str, ...] = ()
    questions: str = ""


class Plan(Pace, Limits, Repetition, RunLabels, Combination, ApplicationCalls):
    """Everything a run needs, as plain values: it can be stored, compared and sent to another process.

    Attributes:
        app: the name of the application that answered the questions; None if the dataset has the answers.
        metrics: specs of the metrics, in order.
        judge: the judge's name.
        on_missing: result of a metric on a test case that lacks a field it needs.
        optional: specs of metrics that are skipped if a field is missing, regardless of `on_missing`.
        batch: whether the judge is asked in its vendor's batches.
        batch_interval: longest pause in seconds between two polls of a batch; None for a minute.
        dataset: where the test cases come from.
        labels: the name by which people read each metric, by its spec.
        flagged_only: specs of metrics that are measured only on test cases whose answer does not hold or is undecided;
            their scores are shown with the case and have no mean.
        exam: what the judge's last exam in the store of this run showed, or that there is none, in a sentence.
        judges: judge of each kind of prompt that the run's judge passes on or that only one of several is asked, by the
            prompt's name.
        sweep: the sweep that the run belongs to; None for a run of its own.
        prompts: digest of each prompt's wording, so that runs with different prompts are never compared unnoticed.
    """

    metrics: tuple[str, ...]
    judge: str
    on_missing: OnMissing = "error"
    optional: tuple[str, ...] = ()
    batch: bool = False
    batch_interval: float | None = Field(default=None, gt=0)
    dataset: str | None = None
    labels: dict[str, str] = Field(default_factory=dict[str, str])
    flagged_only: tuple[str, ...] = ()
    exam: str | None = None
    judges: dict[str, str] = Field(default_factory=dict[str, str])
    prompts: dict[str, str] = Field(default_factory=dict[str, str])
    sweep: SweepPlan | None = None

    @property
    def patience(self) -> float:
        """Seconds allowed for one metric on one case."""
        return self.measurement_timeout or 10 * self.timeout

    def skips(self, spec: str) -> bool:
        """Return whether a metric that lacks a field is skipped rather than failed."""
        return self.on_missing == "skip" or spec in self.optional


class Run(BaseModel):
    """One execution of a plan.

    Attributes:
        id: unique, sortable by time.
        plan: the plan.
        started: when it started, UTC.
        notes: notes for the reader of the report: metrics left out, rows that could not be read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    plan: Plan
    started: datetime
    notes: tuple[str, ...] = ()

    @classmethod
    def begin(cls, plan: Plan, notes: tuple[str, ...] = ()) -> "Run":
        """Return a new run of `plan` that starts now."""
        now = datetime.now(UTC)
        return cls(id=f"{now:%Y%m%dT%H%M%S}-{uuid4().hex[:6]}", plan=plan, started=now, notes=notes)
