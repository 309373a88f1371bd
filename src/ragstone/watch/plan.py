"""The plan of a watch, as read from `watch.toml`."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from ragstone.errors import BadOption
from ragstone.findings.numbers import duration
from ragstone.traces.feedback import PEOPLE
from ragstone.traces.options import TraceOptions

_SECONDS_PER_UNIT = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _parse_duration(value: object) -> object:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", value) if isinstance(value, str) else None
    return float(match[1]) * _SECONDS_PER_UNIT[match[2]] if match else value


Duration = Annotated[float, BeforeValidator(_parse_duration), Field(ge=0)]
"""Seconds, or a text such as `10s`, `5m`, `2h`, `30d`."""


def _check_unit(value: str) -> str:
    try:
        return TraceOptions(value).unit
    except BadOption as error:
        raise ValueError(str(error)) from error


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class UnitPart(_Part):
    """The unit that becomes a test case, and when it is complete.

    Attributes:
        by: `trace`; `session`, all traces of one session id; or `span:NAME`, every span of that name.
        settle: time without new spans after which a trace with its root is complete.
        patience: time without new spans after which a trace without its root is taken as it is.
        idle: time without new spans after which a session is complete; later spans are not judged any more.
        longest: time since its first span after which a session is taken as it is.
        retrieval_tools: tools whose results are retrieved passages.
    """

    by: Annotated[str, AfterValidator(_check_unit)] = "trace"
    settle: Duration = 10.0
    patience: Duration = 300.0
    idle: Duration = 1800.0
    longest: Duration = 86_400.0
    retrieval_tools: tuple[str, ...] = ()


class JudgePart(_Part):
    """The judges.

    Attributes:
        all: judge of every trace.
        sample: judge of the drawn traces; None: no second judge.
        people: share of all test cases, drawn at random, that people are asked to judge; None: none. The judge of the
            sample gets them too.
        concurrency: calls in flight at once, for each worker.
        attempts: number of attempts on a trace whose judge fails, before it is given up.
    """

    all: str = "local"
    sample: str | None = None
    people: float | None = Field(default=None, gt=0, le=1)
    concurrency: int = Field(default=8, ge=1)
    attempts: int = Field(default=5, ge=1)


class SamplePart(_Part):
    """The sample of traces for the second judge.

    Attributes:
        per_day: number of traces to draw per day, on average.
        floor: least probability.
        start: probability without boost until the traffic is known.
        salt: salt of the hash that draws; another salt draws other traces.
        boost: condition → factor on the probability of such traces, at least 1.
    """

    per_day: float = Field(default=300.0, gt=0)
    floor: float = Field(default=0.002, gt=0, le=1)
    start: float = Field(default=0.05, gt=0, le=1)
    salt: str = "ragstone"
    boost: dict[str, Annotated[float, Field(ge=1, le=1000)]] = Field(default_factory=dict[str, float])


class AlarmPart(_Part):
    """An alarm on the mean of a metric, or on the share of one of its labels, by the judge of all traces.

    Attributes:
        metric: the metric's name.
        below: the mean that is good enough; None for an alarm on a label.
        label: the label.
        above: the share of the label that is still acceptable.
        run_length: lower bound on the expected number of judged traces between two false alarms.
    """

    metric: str
    below: float | None = Field(default=None, gt=0, lt=1)
    label: str | None = Field(default=None, min_length=1, max_length=100)
    above: float | None = Field(default=None, gt=0, lt=1)
    run_length: float = Field(default=20_000.0, ge=1)

    @model_validator(mode="after")
    def _check_limit(self) -> Self:
        is_mean = self.below is not None and self.label is None and self.above is None
        is_share = self.below is None and self.label is not None and self.above is not None
        if not (is_mean or is_share):
            raise ValueError(
                "write either below, the least mean, or label and above, the greatest share of a label"
            )
        return self

    @property
    def floor(self) -> float:
        """The mean that is good enough; of a label, the share of the other labels."""
        return 1.0 - (self.above or 0.0) if self.below is None else self.below

    @property
    def limit(self) -> str:
        """The limit in words: `faithfulness below 0.85`, `refused of classify above 10 %`."""
        if self.below is not None:
            return f"{self.metric} below {self.below:g}"
        return f"{self.label} of {self.metric} above {100 * (self.above or 0.0):g} %"

    def describe(self, *, crossed: bool, was: bool = True) -> str:
        """Return whether the limit is crossed, in words.

        Args:
            crossed: whether it is.
            was: whether it was crossed before, which is told where it is no longer.
        """
        known = "is no longer known to be" if was else "is not known to be"
        if self.below is not None:
            return f"{self.metric} {'has fallen' if crossed else known} below {self.below:g}"
        share = f"the share of {self.label} in {self.metric}"
        return f"{share} {'has risen' if crossed else known} above {100 * (self.above or 0.0):g} %"


class NotifyPart(_Part):
    """A receiver of messages about changed alarms.

    Attributes:
        webhook: URL to which JSON is posted; the only place to which a watch sends anything.
        secret_env: environment variable with the secret that signs the messages; None: they are not signed.
    """

    webhook: str = Field(min_length=1, max_length=2000)
    secret_env: str | None = None


class KeepPart(_Part):
    """Retention times.

    Attributes:
        text: retention of records, test cases and results; None: for ever. Figures stay.
    """

    text: Duration | None = None


class AnchorPart(_Part):
    """Cases with human labels, on which the judges are checked at intervals.

    Attributes:
        file: the dataset; relative to the folder in which the watch is started.
        metric: metric that the labels are about; None: the only one.
        label: metadata key of the labels, which are yes or no.
        every: seconds between two checks.
        false_alarms: maximum share of checks that raise an alarm although the judge has not changed.
        judges: judges to check: the judge of `all` traces, that of the `sample` where there is one, or both.
    """

    file: str = Field(min_length=1)
    metric: str | None = None
    label: str = "label"
    judges: tuple[Literal["all", "sample"], ...] = Field(default=("all", "sample"), min_length=1)
    every: Annotated[Duration, Field(ge=60)] = 86_400.0
    false_alarms: float = Field(default=0.001, gt=0, lt=0.5)


class DriftPart(_Part):
    """Comparison of the questions of the window with those of a reference period before it.

    Attributes:
        reference: length of the reference period, which ends where the window begins.
        every: seconds between two checks; None: one each window.
        most: maximum number of questions compared per period; drawn at random where there are more.
        false_alarms: maximum share of checks that raise an alarm although the questions have not changed.
        test_set: dataset whose coverage of users' questions is reported; relative to the folder in which the watch is
            started.
    """

    reference: Annotated[Duration, Field(gt=0)] = 7 * 86_400.0
    every: Annotated[Duration, Field(ge=60)] | None = None
    most: int = Field(default=400, ge=50, le=2000)
    false_alarms: float = Field(default=0.01, ge=0.001, lt=0.5)
    test_set: str | None = None


class FeedbackPart(_Part):
    """Selection of human feedback among the scores that arrive with spans.

    Attributes:
        names: names that count as human feedback where the kind of the annotator is not given.
    """

    names: tuple[str, ...] = PEOPLE


class WatchPlan(_Part):
    """The plan of a watch.

    Attributes:
        name: name of the watch; its runs and figures are found by it.
        metrics: specs of the metrics.
        unit: the unit that becomes a test case.
        judge: the judges.
        sample: the sample for the second judge.
        alarm: the alarms.
        silence: time without anything received after which an alarm is raised; None: never.
        notify: receivers of alarms.
        window: length of the window that the shown means cover.
        keep: retention times.
        feedback: selection of human feedback among the scores that arrive with spans.
        anchor: cases on which the judges are checked; None: no checks.
        drift: comparison of users' questions with those before; None: no comparison.
    """

    name: str = Field(default="production", min_length=1, max_length=100)
    metrics: tuple[str, ...] = Field(min_length=1)
    unit: UnitPart = UnitPart()
    judge: JudgePart = JudgePart()
    sample: SamplePart = SamplePart()
    alarm: tuple[AlarmPart, ...] = ()
    silence: Duration | None = None
    notify: tuple[NotifyPart, ...] = ()
    window: Duration = 86_400.0
    keep: KeepPart = KeepPart()
    feedback: FeedbackPart = FeedbackPart()
    anchor: AnchorPart | None = None
    drift: DriftPart | None = None

    @model_validator(mode="after")
    def _check_anchor(self) -> Self:
        if self.anchor is not None and self.anchor.judges == ("sample",) and self.judge.sample is None:
            raise ValueError(
                "anchor.judges is 'sample', but there is no judge of the sample: set judge.sample, or use 'all'"
            )
        return self

    @model_validator(mode="after")
    def _check_window(self) -> Self:
        if self.unit.by == "session" and self.window <= self.unit.idle:
            raise ValueError(
                f"a window of {duration(self.window)} never contains a session, because a session is judged only after "
                f"{duration(self.unit.idle)} without new spans: set a longer window, or a shorter unit.idle"
            )
        return self


def read_plan(path: Path) -> WatchPlan:
    """Return the plan in a file. Raises BadOption: the file cannot be read, or holds an invalid value."""
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return WatchPlan.model_validate(values)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadOption(f"{path} cannot be read: {error}.") from error
    except ValidationError as error:
        first = cast("dict[str, Any]", error.errors(include_url=False)[0])
        field = ".".join(str(part) for part in first["loc"])
        raise BadOption(f"{path}: {field}: {first['msg']}. See docs/how-to/watch-production.md.") from error
