"""The typed answers of the tools. Names and figures are those of the JSON that the commands write with --json.

A field of type `str` is written by ragstone: a status, a state, a figure in words. Others are marked, see `texts.py`.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from ragstone.mcp.texts import MarkedName, MarkedText, ToolAnswer
from ragstone.stats.comparison_figures import ComparisonVerdict
from ragstone.status import Status
from ragstone.verdict import VerdictValue

Count = Annotated[int, Field(ge=0)]


class IntervalAnswer(ToolAnswer):
    """An interval that holds the true value in `level` of all datasets drawn like this one; None: not known."""

    low: float | None
    high: float | None
    level: float

    def line(self) -> str:
        """Return the interval in words."""
        if self.low is None or self.high is None:
            return "not known"
        return f"{self.low:.3g} to {self.high:.3g} ({100 * self.level:.4g} % interval)"


class MetricFigureAnswer(ToolAnswer):
    """A metric over the cases of a run: mean with interval, n, and how many cases have each of the five statuses.

    Below ten independent cases (`too_few`) the interval says little. `low` and `high` are the bounds of the mean where
    verdicts are undecided. `text` is the figure in words.
    """

    metric: MarkedName
    spec: MarkedName | None = None
    mean: float | None
    interval: IntervalAnswer
    low: float | None
    high: float | None
    n: Count
    passed: Count
    missed: Count
    undecided: Count
    not_measured: Count
    skipped: Count
    pass_rate: float | None
    pass_interval: IntervalAnswer
    too_few: bool
    text: str

    def line(self) -> str:
        """Return the figure in words, and its metric."""
        return f"{self.text}; metric | {self.spec or self.metric}"


class RunAnswer(ToolAnswer):
    """A stored run: `done` of `total` results, its cost in US dollars, and the figures of its metrics so far."""

    id: MarkedName
    name: MarkedName | None
    dataset: MarkedName | None
    judge: MarkedName
    tags: tuple[MarkedName, ...]
    baselines: tuple[MarkedName, ...]
    started: datetime
    state: Literal["running", "silent", "complete", "incomplete"]
    why: MarkedName
    done: Count
    total: Count | None
    seconds: float
    cost: float | None
    metrics: tuple[MetricFigureAnswer, ...]


class RunsAnswer(ToolAnswer):
    """The runs that match, the latest first; `count` says how many match in all."""

    count: Count
    runs: tuple[RunAnswer, ...]


class FindingAnswer(ToolAnswer):
    """A verdict on one statement or passage of a case; `passage` is the number, from 1, of the passage that decides."""

    verdict: VerdictValue
    word: str
    statement: MarkedText | None
    reason: MarkedText | None
    passage: Count | None


class CaseResultAnswer(ToolAnswer):
    """The result of a metric on a case. `low` and `high` bound the score where verdicts are undecided."""

    metric: MarkedName
    spec: MarkedName
    status: Status | None
    score: float | None
    low: float | None
    high: float | None
    threshold: float | None
    reason: MarkedText | None
    error: MarkedText | None
    findings: tuple[FindingAnswer, ...] = ()


class AnnotationAnswer(ToolAnswer):
    """A person's verdict on a case, on a metric's result, or on one claim."""

    annotator: MarkedName
    verdict: VerdictValue
    claim: MarkedText | None
    note: MarkedText | None


class TurnAnswer(ToolAnswer):
    """A turn of a conversation."""

    role: MarkedName
    content: MarkedText


class CaseAnswer(ToolAnswer):
    """A test case of a run with its results. `number` is its place in the run, from 1.

    `turns` are those of a conversation; `tools_called` are the calls of tools as JSON.
    """

    run: MarkedName
    number: Count
    id: MarkedName
    name: MarkedName | None
    question: MarkedText
    answer: MarkedText | None
    expected: MarkedText | None
    passages: tuple[MarkedText, ...]
    passages_in_all: Count
    turns: tuple[TurnAnswer, ...]
    tools_called: tuple[MarkedText, ...]
    results: tuple[CaseResultAnswer, ...]
    annotations: tuple[AnnotationAnswer, ...]


class WorstCaseAnswer(ToolAnswer):
    """A case of a list: `passed`, `missed`, … count its results by status; `reason` is that of the worst one."""

    number: Count
    id: MarkedName
    question: MarkedText
    answer: MarkedText | None
    reason: MarkedText | None
    passed: Count
    missed: Count
    undecided: Count
    not_measured: Count
    skipped: Count


class WorstAnswer(ToolAnswer):
    """The figures of a run and its worst cases; `count` says how many cases match in all."""

    run: RunAnswer
    count: Count
    cases: tuple[WorstCaseAnswer, ...]


class ComparedRunAnswer(ToolAnswer):
    """One side of a comparison, with the figures of its metrics over all of its own cases."""

    id: MarkedName
    name: MarkedName | None
    judge: MarkedName
    figures: tuple[MetricFigureAnswer, ...] = ()


class FlipAnswer(ToolAnswer):
    """A case that passed in one run and missed in the other; `broke`: it passed before."""

    case_id: MarkedName
    question: MarkedText
    before: float
    after: float
    broke: bool
    reason: MarkedText | None


class MetricChangeAnswer(ToolAnswer):
    """A metric in both runs, over the cases that both scored. The interval holds for all metrics together.

    `verdict` is the only statement on better or worse that the test supports; `sentence` says it in words. `undecided`
    cases may have any score between their bounds. `flipped` counts all that changed sides; `flips` lists the first.
    """

    metric: MarkedName
    verdict: ComparisonVerdict
    sentence: MarkedName
    n: Count
    before: float | None
    after: float | None
    difference: float | None
    interval: IntervalAnswer | None
    p_value: float | None
    adjusted_p: float | None
    tested: Count
    better: Count
    worse: Count
    same: Count
    undecided: Count
    unpaired: Count
    lost: Count
    too_few: bool
    flipped: Count
    flips: tuple[FlipAnswer, ...]


class ComparisonAnswer(ToolAnswer):
    """Two runs over the cases that both have. `state`: red, a metric got worse; yellow, something is left open."""

    before: ComparedRunAnswer
    after: ComparedRunAnswer
    verdict: MarkedName
    state: Literal["red", "yellow", "green"]
    cases: Count
    warnings: tuple[MarkedName, ...]
    metrics: tuple[MetricChangeAnswer, ...]
    only_before: Count
    only_after: Count


class ShareAnswer(ToolAnswer):
    """A share of all cases with its interval."""

    value: float | None
    interval: IntervalAnswer | None

    def line(self) -> str:
        """Return the share in words."""
        value = "not known" if self.value is None else f"{self.value:.3g}"
        return value if self.interval is None else f"{value}, {self.interval.line()}"


class CauseShareAnswer(ToolAnswer):
    """A cause, its share of the cases, and the pass rate if it were mended: `worth` estimated, `worth_most` at most."""

    name: str
    owner: str
    sentence: str
    remedy: str
    count: Count
    share: ShareAnswer
    worth: float
    worth_most: float


class MissAnswer(ToolAnswer):
    """A case that missed, with its cause and the evidence. `number` is its place in the run, from 1."""

    number: Count
    id: MarkedName
    question: MarkedText
    cause: str | None
    missed: tuple[MarkedName, ...]
    evidence: MarkedText | None


class ExplanationAnswer(ToolAnswer):
    """The causes of the misses of a run; their intervals hold together. `misses` lists the first cases."""

    run: MarkedName
    verdict: MarkedName
    cases: Count
    passed: ShareAnswer
    missed: Count
    undecided: Count
    not_measured: Count
    skipped: Count
    causes: tuple[CauseShareAnswer, ...]
    misses: tuple[MissAnswer, ...]
    notes: tuple[MarkedName, ...]


class MetricOptionAnswer(ToolAnswer):
    """An option of a metric's spec."""

    name: str
    default: str
    meaning: str

    def line(self) -> str:
        """Return the option in words."""
        return f"{self.name} = {self.default}; {self.meaning}"


class MetricAnswer(ToolAnswer):
    """A built-in metric. `embedded` says whether the judge `local` measures it; `better` is `higher` or `lower`."""

    name: str
    asks: str
    needs: str
    calls: str
    embedded: str
    better: str
    description: MarkedText | None = None
    options: tuple[MetricOptionAnswer, ...] = ()


class PresetAnswer(ToolAnswer):
    """A group of metrics."""

    name: MarkedName
    metrics: tuple[MarkedName, ...]


class MetricsAnswer(ToolAnswer):
    """The built-in metrics, and the groups of metrics that may be named instead."""

    metrics: tuple[MetricAnswer, ...]
    presets: tuple[PresetAnswer, ...]


class RangeAnswer(ToolAnswer):
    """The least and the most that is expected."""

    least: float
    most: float

    def line(self) -> str:
        """Return the range in words."""
        return f"{self.least:.4g}" if self.least == self.most else f"{self.least:.4g} to {self.most:.4g}"


class EstimateAnswer(ToolAnswer):
    """What a run would take: judge calls, tokens, US dollars (None: no price is known). Nothing was sent.

    `estimate` is what `run` asks for; it is None where the run exceeds a bound or has no test case: see `refused`.
    """

    estimate: str | None
    refused: str | None
    judge: MarkedName
    cases: Count
    calls: RangeAnswer
    input_tokens: RangeAnswer
    output_tokens: RangeAnswer
    cost: RangeAnswer | None
    max_cases: Count
    max_cost: float


class StartedAnswer(ToolAnswer):
    """A run that has begun: `runs` with its id shows how far it is."""

    run: MarkedName
