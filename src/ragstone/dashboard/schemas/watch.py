"""Response models of a watch: its queue, each metric in the window, alarms, feedback, the judge, the questions."""

from collections.abc import Sequence

from pydantic import ConfigDict

from ragstone.dashboard.schemas.runs import ApiModel
from ragstone.watch.drift import QuestionDrift
from ragstone.watch.feedback import FeedbackFigures
from ragstone.watch.judge_check import JudgeCheck
from ragstone.watch.overview import WatchOverview
from ragstone.watch.window import WindowFigures


class WatchedMetric(ApiModel):
    """A metric in the window of a watch.

    Attributes:
        metric: its spec.
        mean: mean score by the judge of all traces; null without scores.
        low: lower end of its 95 % interval; null with too few scores.
        high: upper end.
        judged: traces with such a score.
        unmeasured: traces whose score failed or was skipped.
        sample: mean over all traces by the second judge, estimated from its sample; null without one.
        drawn: traces in that sample.
        people: estimated share of all traces that people would call good; null without human verdicts.
        people_low: lower end of its 95 % interval; null with too few verdicts.
        people_high: upper end.
        human_verdicts: test cases that people judged.
    """

    metric: str
    mean: float | None
    low: float | None
    high: float | None
    judged: int
    unmeasured: int
    sample: float | None
    drawn: int
    people: float | None = None
    people_low: float | None = None
    people_high: float | None = None
    human_verdicts: int = 0


class WatchedAlarm(ApiModel):
    """An alarm of a watch.

    Attributes:
        metric: its metric.
        below: the mean that is good enough.
        status: `ok` or `alarm`.
        changed: time of its last change, seconds since 1970; null without one.
        reason: the scores at that time.
    """

    metric: str
    below: float
    status: str
    changed: float | None
    reason: str


class WatchedFeedback(ApiModel):
    """Feedback of one name in the window of a watch.

    Attributes:
        name: what they judged.
        mean: mean of thumbs (up is 1, down is 0) and scores; null without either.
        low: lower end of its 95 % interval; null with too little feedback.
        high: upper end.
        n: number of thumbs and scores.
        up: thumbs up.
        down: thumbs down.
    """

    name: str
    mean: float | None
    low: float | None
    high: float | None
    n: int
    up: int
    down: int


class WatchedJudge(ApiModel):
    """A judge of a watch, with the last check against human labels.

    Attributes:
        judged_by: `all`, or `sample` for the judge of the sample.
        judge: its name.
        unchecked: why the last check had no result; null if it had one.
        metric: spec of the metric that the labels are about.
        status: `ok`, or `alarm` if the judge has changed, by the last check with a result; null, like all fields
            that follow, without such a check.
        agreement: share of the cases on which judge and people agree.
        low: lower end of its 95 % interval.
        high: upper end.
        n: cases that could be judged.
        failed: cases that could not.
        before: the share at the first check.
        better: cases on which they agree now and did not then.
        worse: cases on which they agreed then and do not now.
        checked: when, seconds since 1970.
    """

    judged_by: str
    judge: str
    unchecked: str | None
    metric: str | None = None
    status: str | None = None
    agreement: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    failed: int | None = None
    before: float | None = None
    better: int | None = None
    worse: int | None = None
    checked: float | None = None


class WatchedTopic(ApiModel):
    """A topic of users' questions whose share changed.

    Attributes:
        words: what it is about.
        before: its share in the time before.
        now: its share in the window.
        p_value: of no change, corrected for the number of topics.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    words: list[str]
    before: float
    now: float
    p_value: float


class WatchedCoverage(ApiModel):
    """Share of users' questions that the test set covers.

    Attributes:
        share: of the window's questions.
        low: lower end of its 95 % interval.
        high: upper end.
        n: questions that were looked at.
        missing: the largest topics that are not covered: their words, and how many questions they have.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    share: float
    low: float
    high: float
    n: int
    missing: list[tuple[list[str], int]]


class WatchedDrift(ApiModel):
    """Result of the last check of users' questions.

    Attributes:
        status: `ok`, or `alarm` where they have changed.
        p_value: p-value of unchanged questions; null with too few questions.
        n: questions of the window that were looked at.
        before: questions of the time before that were looked at.
        topics: those whose share changed clearly.
        coverage: of the test set; null without one.
        at: when it was made, seconds since 1970.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    status: str
    p_value: float | None
    n: int
    before: int
    topics: list[WatchedTopic]
    coverage: WatchedCoverage | None
    at: float


class WatchFigures(ApiModel):
    """The figures of a watch.

    Attributes:
        name: of the watch.
        waiting: traces that are not judged yet.
        judged: traces that were judged, and whose text is kept.
        dead: traces that were given up.
        window: seconds that the figures look back.
        metrics: the metrics.
        alarms: the alarms.
        feedback: the feedback of users.
        judges: those that are checked against people's labels; none without an anchor set, or before a check.
        drift: of users' questions; null where it is not checked, or before the first check.
        troubles: what fails in the processes of the watch, a sentence each.
    """

    name: str
    waiting: int
    judged: int
    dead: int
    window: float
    metrics: list[WatchedMetric]
    alarms: list[WatchedAlarm]
    feedback: list[WatchedFeedback]
    judges: list[WatchedJudge]
    drift: WatchedDrift | None
    troubles: list[str]


def watch_figures_out(
    found: WatchOverview,
    feedback: Sequence[FeedbackFigures],
    checks: Sequence[JudgeCheck],
    drift: QuestionDrift | None,
) -> WatchFigures:
    """Return the figures of a watch as an API response."""
    return WatchFigures(
        name=found.plan.name,
        waiting=found.counts.waiting,
        judged=found.counts.judged,
        dead=found.counts.dead,
        window=found.plan.window,
        metrics=[_watched_metric(item) for item in found.figures],
        alarms=[
            WatchedAlarm(
                metric=item.alarm.metric,
                below=item.alarm.below,
                status=item.status,
                changed=item.changed,
                reason=item.reason,
            )
            for item in found.alarms
        ],
        feedback=[_watched_feedback(item) for item in feedback],
        judges=[_watched_judge(item) for item in checks],
        drift=None if drift is None else WatchedDrift.model_validate(drift),
        troubles=list(found.troubles),
    )


def _watched_metric(figures: WindowFigures) -> WatchedMetric:
    return WatchedMetric(
        metric=figures.metric,
        mean=figures.mean,
        low=figures.interval.low if figures.interval else None,
        high=figures.interval.high if figures.interval else None,
        judged=figures.judged,
        unmeasured=figures.unmeasured,
        sample=figures.sample.value if figures.sample else None,
        drawn=figures.sample.drawn if figures.sample else 0,
        people=figures.people.value if figures.people else None,
        people_low=figures.people.low if figures.people else None,
        people_high=figures.people.high if figures.people else None,
        human_verdicts=figures.people.drawn if figures.people else 0,
    )


def _watched_feedback(figures: FeedbackFigures) -> WatchedFeedback:
    return WatchedFeedback(
        name=figures.name,
        mean=figures.mean,
        low=figures.interval.low if figures.interval else None,
        high=figures.interval.high if figures.interval else None,
        n=figures.n,
        up=figures.up,
        down=figures.down,
    )


def _watched_judge(check: JudgeCheck) -> WatchedJudge:
    judge = WatchedJudge(
        judged_by=check.judged_by,
        judge=check.judge,
        unchecked=check.unchecked.line if check.unchecked else None,
        metric=check.unchecked.metric if check.unchecked else None,
    )
    health = check.health
    if health is None:
        return judge
    return judge.model_copy(
        update={
            "metric": health.metric,
            "status": health.status,
            "agreement": health.share,
            "low": health.interval.low,
            "high": health.interval.high,
            "n": health.n,
            "failed": health.failed,
            "before": health.before,
            "better": health.better,
            "worse": health.worse,
            "checked": health.at,
        }
    )
