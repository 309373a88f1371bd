"""A plan, everything that decides a run as one frozen value, and a run, one execution of a plan."""

from datetime import UTC, datetime
from typing import Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

OnMissing = Literal["error", "skip", "raise"]


class Plan(BaseModel):
    """What is to be done. Plain values only, so that it can be stored, compared and sent to another process.

    Attributes:
        metrics: specs of the metrics, in order.
        judge: the judge's name.
        concurrency: judge calls in flight at once.
        timeout: seconds allowed for one judge call.
        measurement_timeout: seconds allowed for one metric on one case, all its calls and pauses included;
            None stands for ten times `timeout`.
        on_missing: what a needed field that a test case lacks becomes: an error, a skip, or an exception
            before the first judge call.
        optional: specs of metrics that are skipped, whatever `on_missing` says, where a field is missing.
        rpm: judge calls a minute; None for no bound.
        tpm: tokens a minute, sent and received; None for no bound.
        max_cost: US dollars that the run may cost; None for no bound.
        repeats: how often each metric measures each test case.
        cluster: key of the test cases' metadata by which they are grouped; cases of one group are not independent.
        dataset: where the test cases come from.
        name: a name for people.
        tags: labels to find the run by.
        prompts: digest of each prompt's wording, so that runs judged by different words are never compared in silence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metrics: tuple[str, ...]
    judge: str
    concurrency: int = Field(default=16, ge=1)
    timeout: float = Field(default=60.0, gt=0)
    measurement_timeout: float | None = Field(default=None, gt=0)
    on_missing: OnMissing = "error"
    optional: tuple[str, ...] = ()
    rpm: float | None = Field(default=None, gt=0)
    tpm: float | None = Field(default=None, gt=0)
    max_cost: float | None = Field(default=None, gt=0)
    repeats: int = Field(default=1, ge=1)
    cluster: str | None = None
    dataset: str | None = None
    name: str | None = None
    tags: tuple[str, ...] = ()
    prompts: dict[str, str] = Field(default_factory=dict[str, str])

    @property
    def patience(self) -> float:
        """Seconds allowed for one metric on one case."""
        return self.measurement_timeout or 10 * self.timeout

    def skips(self, spec: str) -> bool:
        """Tell whether a metric that misses a field is skipped rather than failed."""
        return self.on_missing == "skip" or spec in self.optional


class Run(BaseModel):
    """One execution of a plan.

    Attributes:
        id: unique, sortable by time.
        plan: what is done.
        started: when, in UTC.
        notes: what a reader of the report must know: metrics left out, rows that could not be read.
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
