"""What a watch does, as `watch.toml` says it."""

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
from ragstone.reports.numbers import duration
from ragstone.traces.feedback import PEOPLE
from ragstone.traces.options import TraceOptions

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _duration(value: object) -> object:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", value) if isinstance(value, str) else None
    return float(found[1]) * _SECONDS[found[2]] if found else value


Duration = Annotated[float, BeforeValidator(_duration), Field(ge=0)]
"""Seconds, or a text such as `10s`, `5m`, `2h`, `30d`."""


def _unit(value: str) -> str:
    try:
        return TraceOptions(value).unit
    except BadOption as error:
        raise ValueError(str(error)) from error


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class UnitPart(_Part):
    """What a test case is, and when it is complete.

    Attributes:
        by: `trace`; `session`, all traces of one session id; or `span:NAME`, every span of that name.
        settle: without new spans for so long, a trace with its root is complete.
        patience: without new spans for so long, a trace without its root is taken as it is.
        idle: without new spans for so long, a session is complete; what comes later is not judged any more.
        longest: a session whose first span came so long ago is taken as it is.
        retrieval_tools: tools whose results are retrieved passages.
    """

    by: Annotated[str, AfterValidator(_unit)] = "trace"
    settle: Duration = 10.0
    patience: Duration = 300.0
    idle: Duration = 1800.0
    longest: Duration = 86_400.0
    retrieval_tools: tuple[str, ...] = ()


class JudgePart(_Part):
    """Who judges.

    Attributes:
        all: judges every trace.
        sample: judges the drawn ones, None where nobody does.
        people: share of all test cases, drawn at random, that people are asked to judge; None: none. The judge of the
            sample gets them too.
        concurrency: calls in flight at once, for each worker.
        attempts: how often a trace is tried whose judge fails, before it is given up.
    """

    all: str = "local"
    sample: str | None = None
    people: float | None = Field(default=None, gt=0, le=1)
    concurrency: int = Field(default=8, ge=1)
    attempts: int = Field(default=5, ge=1)


class SamplePart(_Part):
    """Whom the dearer judge gets.

    Attributes:
        per_day: traces a day that are to be drawn, on average.
        floor: least probability.
        start: probability without boost until there is traffic to reckon with.
        salt: of the hash that draws; another one draws others.
        boost: condition → how many times likelier such traces are, at least 1.
    """

    per_day: float = Field(default=300.0, gt=0)
    floor: float = Field(default=0.002, gt=0, le=1)
    start: float = Field(default=0.05, gt=0, le=1)
    salt: str = "ragstone"
    boost: dict[str, Annotated[float, Field(ge=1, le=1000)]] = Field(default_factory=dict[str, float])


class AlarmPart(_Part):
    """An alarm on the mean of a metric, by the judge of all traces.

    Attributes:
        metric: the metric's name.
        below: the mean that is good enough.
        run_length: expected number of judged traces, at least, between two false alarms.
    """

    metric: str
    below: float = Field(gt=0, lt=1)
    run_length: float = Field(default=20_000.0, ge=1)


class NotifyPart(_Part):
    """Who is told that an alarm changed.

    Attributes:
        webhook: URL to which JSON is posted; the only place to which a watch sends anything.
        secret_env: environment variable with the secret that messages are signed with; None: they are not signed.
    """

    webhook: str = Field(min_length=1, max_length=2000)
    secret_env: str | None = None


class KeepPart(_Part):
    """How long what is kept.

    Attributes:
        text: records, test cases and results; None: for ever. Figures stay.
    """

    text: Duration | None = None


class AnchorPart(_Part):
    """Cases with people's labels, by which judges are checked again and again.

    Attributes:
        file: the dataset; relative to the folder in which the watch is started.
        metric: which of the metrics the labels are about; None: the only one.
        label: where the labels stand in the metadata: yes or no.
        every: seconds between two checks.
        false_alarms: the share of checks, at most, that raise an alarm though the judge is as it was.
        judges: whom to check: the judge of `all` traces, that of the `sample` where there is one, or both.
    """

    file: str = Field(min_length=1)
    metric: str | None = None
    label: str = "label"
    judges: tuple[Literal["all", "sample"], ...] = Field(default=("all", "sample"), min_length=1)
    every: Annotated[Duration, Field(ge=60)] = 86_400.0
    false_alarms: float = Field(default=0.001, gt=0, lt=0.5)


class DriftPart(_Part):
    """How the questions of the window are compared with those before.

    Attributes:
        reference: how far back the time before reaches, from the beginning of the window.
        every: seconds between two checks; None: one each window.
        most: questions of each side that are compared, drawn at random where there are more.
        false_alarms: the share of checks, at most, that raise an alarm though the questions are as before.
        test_set: a dataset of which it is told how much of what users ask it covers; relative to the folder in which
            the watch is started.
    """

    reference: Annotated[Duration, Field(gt=0)] = 7 * 86_400.0
    every: Annotated[Duration, Field(ge=60)] | None = None
    most: int = Field(default=400, ge=50, le=2000)
    false_alarms: float = Field(default=0.01, ge=0.001, lt=0.5)
    test_set: str | None = None


class FeedbackPart(_Part):
    """What of the scores that arrive with spans is feedback of people.

    Attributes:
        names: names that count where the kind of the annotator is not told.
    """

    names: tuple[str, ...] = PEOPLE


class WatchPlan(_Part):
    """What a watch does.

    Attributes:
        name: of the watch; its runs and figures are found by it.
        metrics: specs of the metrics.
        unit: what a test case is.
        judge: who judges.
        sample: whom the dearer judge gets.
        alarm: the alarms.
        silence: without anything received for so long there is an alarm; None: never.
        notify: who is told of alarms.
        window: how far back the shown means look.
        keep: how long what is kept.
        feedback: what of the scores that arrive with spans is feedback of people.
        anchor: by what the judges are checked; None: by nothing.
        drift: how users' questions are compared with those before; None: not at all.
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
                "anchor.judges names the judge of the sample, and there is none: write judge.sample, or 'all'"
            )
        return self

    @model_validator(mode="after")
    def _check_window(self) -> Self:
        if self.unit.by == "session" and self.window <= self.unit.idle:
            raise ValueError(
                f"a window of {duration(self.window)} never shows a session, which is judged when nothing has come "
                f"for {duration(self.unit.idle)}: write a longer window, or a shorter unit.idle"
            )
        return self


def read_plan(path: Path) -> WatchPlan:
    """Return the plan in a file.

    Raises:
        BadOption: it cannot be read, or holds something that makes no sense.
    """
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return WatchPlan.model_validate(values)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadOption(f"{path} cannot be read: {error}.") from error
    except ValidationError as error:
        first = cast("dict[str, Any]", error.errors(include_url=False)[0])
        place = ".".join(str(part) for part in first["loc"])
        raise BadOption(f"{path}: {place}: {first['msg']}. See docs/how-to/watch-production.md.") from error
