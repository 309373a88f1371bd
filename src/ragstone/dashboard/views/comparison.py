"""View model of the comparison page: the axis, how the runs differ, cases side by side."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from ragstone.case import TestCase
from ragstone.dashboard.services.comparison import (
    LEAST,
    ComparedRun,
    ComparisonSet,
    MetricDifference,
    ScoreChange,
    name_of,
)
from ragstone.dashboard.views.texts import elapsed
from ragstone.dashboard.views.verdicts import ANSWER, MetricVerdicts, metric_verdicts, verdicts_on
from ragstone.findings import Report
from ragstone.findings.comparison.findings import caveats
from ragstone.findings.comparison.run_scores import MatchedCases
from ragstone.findings.numbers import dollars
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.result import Result
from ragstone.store import RunLine, StoredCase, StoredRun

_MIN_SCALE = 0.01
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_MAX_WORDS = 1_500  # words of a text that are compared; the time of the search grows with their square
_NO_MATCHES = MatchedCases(pairs=(), by_question=0, only_before=(), only_after=())


class ComparisonLinks(NamedTuple):
    """Links of a comparison: two runs the other way round, itself, and its differences alone, once computed."""

    swap: str | None
    here: str
    differences: str


class ScoreChanges(NamedTuple):
    """The cases that are listed, worse, better or flipped, and how many of that kind there are."""

    against: ComparedRun
    change: MetricDifference
    kind: str
    shown: list[ScoreChange]
    total: int


class DiffPart(NamedTuple):
    """Some words that are in both texts, or in one alone."""

    kind: Literal["same", "gone", "new"]
    text: str


class WordDiff(NamedTuple):
    """Two texts, each cut where it differs from the other; `cut`: one is longer than what is shown."""

    before: tuple[DiffPart, ...]
    after: tuple[DiffPart, ...]
    cut: bool


class CaseSide(NamedTuple):
    """A case in one run: its answer word by word, its metrics, and the passages that only this run retrieved."""

    href: str
    parts: tuple[DiffPart, ...]
    lines: list[tuple[str, Result, MetricVerdicts | None]]
    passages: list[tuple[int, str]]


class CasePair(NamedTuple):
    """A case in two runs: whether an answer is cut, passages that both retrieved, and those of another rank."""

    case: TestCase
    before: CaseSide
    after: CaseSide
    cut: bool
    kept: int
    moved: int


def reach(change: MetricDifference) -> float:
    """Return how far the axis of a difference goes to both sides: a little farther than its interval."""
    ends = (change.difference or 0.0,) if change.too_few else (change.interval.low, change.interval.high)
    return min(1.0, 1.1 * max([*map(abs, ends), _MIN_SCALE]))


class MatrixCell(NamedTuple):
    """A metric in one of several runs: its mean on the cases in common, and the difference from the baseline's."""

    mean: str
    written: str
    verdict: str


def matrix(found: ComparisonSet) -> tuple[list[str], list[tuple[str, str, list[MatrixCell | None]]]]:
    """Return the metrics of several runs; and of each run name, id, and its means and differences by metric."""
    compared = [change for run in found.others for change in run.metrics]
    metrics = list(dict.fromkeys(change.metric for change in compared))
    first = [
        dict.fromkeys(change.means[0] for change in compared if change.metric == name and change.n)
        for name in metrics
    ]
    cells = [MatrixCell(" / ".join(means), "", "") if means else None for means in first]
    rows = [(found.name, found.baseline, cells)]
    for run in found.others:
        by_name = {
            change.metric: MatrixCell(change.means[1], change.written, change.verdict)
            for change in run.metrics
            if change.n
        }
        rows.append((run.name, run.run, [by_name.get(name) for name in metrics]))
    return metrics, rows


def setups(runs: Sequence[StoredRun], lines: Sequence[RunLine]) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return the settings of the runs: name, value in each run, whether the values differ."""
    plans = [stored.run.plan for stored in runs]
    prompts = {name: None for plan in plans for name in plan.prompts}
    latencies: list[str] = []
    for line in lines:
        results = sum(metric.figure.cases for metric in line.metrics)
        total = sum(metric.latency_ms * metric.figure.cases for metric in line.metrics)
        latencies.append(elapsed(total / results) if results else "")
    rows = [
        ("judge", [plan.judge for plan in plans]),
        ("dataset", [plan.dataset or "" for plan in plans]),
        (
            "prompts",
            _wording_labels([tuple(plan.prompts.get(name, "") for name in prompts) for plan in plans]),
        ),
        ("repeats", [str(plan.repeats) for plan in plans]),
        ("cases", [f"{line.cases:,}" for line in lines]),
        (
            "judge calls a case",
            [
                f"{sum(metric.calls for metric in line.metrics) / line.cases:.3g}" if line.cases else ""
                for line in lines
            ],
        ),
        ("mean time of a measurement", latencies),
        ("cost of judging", [dollars(line.cost) for line in lines]),
        ("started", [f"{stored.run.started:%Y-%m-%d %H:%M} UTC" for stored in runs]),
        ("state", [line.progress.state for line in lines]),
    ]
    return [(name, tuple(values), len(set(values)) > 1) for name, values in rows if any(values)]


def links(runs: Sequence[StoredRun], cases: Mapping[str, str | int]) -> ComparisonLinks:
    """Return the addresses of a comparison; `cases` is the choice of cases that its differences come with."""
    ids = [stored.run.id for stored in runs]
    turned, here = (
        urlencode([("baseline", first), *(("runs", run) for run in others)])
        for first, *others in (ids[::-1], ids)
    )
    return ComparisonLinks(
        f"/compare?{turned}" if len(ids) == LEAST else None,
        f"/compare?{here}",
        f"/compare/differences?{here}&{urlencode(cases, errors='replace')}",
    )


def listed_changes(
    found: ComparisonSet, against: str, metric: str, kind: str, most: int
) -> ScoreChanges | None:
    """Return the cases to list: those requested, otherwise those that flipped in the metric that fell most."""
    moved = [(run, change) for run in found.others for change in run.metrics if change.moves]
    chosen = [pair for pair in moved if pair[1].spec == metric and (not against or pair[0].run == against)]
    flipped = sorted(
        (pair for pair in moved if pair[1].broke + pair[1].mended), key=lambda pair: -pair[1].broke
    )
    pairs = chosen or flipped or moved
    if not pairs:
        return None
    run, change = pairs[0]
    kind = kind or ("flipped" if change.broke + change.mended else "worse" if change.worse else "better")
    shown = [
        case
        for case in change.moves
        if (case.flipped if kind == "flipped" else case.better == (kind == "better"))
    ]
    counts = {
        "flipped": change.broke + change.mended,
        "worse": change.worse,
        "better": change.better,
    }
    return ScoreChanges(run, change, kind, shown[:most], counts[kind])


def sides(old: StoredRun, before: StoredCase, new: StoredRun, after: StoredCase) -> CasePair:
    """Return a case in two runs, its answers compared word by word."""
    diff = word_diff(before.case.actual_output or "", after.case.actual_output or "")
    # The number of each passage by its text.
    passages = [
        {text: number for number, text in enumerate(case.retrieval_context or case.context or (), 1)}
        for case in (before.case, after.case)
    ]
    both = passages[0].keys() & passages[1].keys()
    moved = sum(passages[0][text] != passages[1][text] for text in both)
    left, came = ([(number, text) for text, number in side.items() if text not in both] for side in passages)
    return CasePair(
        after.case,
        _side(old, before, diff.before, left),
        _side(new, after, diff.after, came),
        diff.cut,
        len(both),
        moved,
    )


def _side(
    stored: StoredRun, found: StoredCase, parts: tuple[DiffPart, ...], passages: list[tuple[int, str]]
) -> CaseSide:
    results = list(found.results.values())
    names = metric_names(results)
    by_spec = {judged.spec: judged for judged in verdicts_on(metric_verdicts(found.case, results), ANSWER)}
    lines = [(metric_name(result, names), result, by_spec.get(result.spec)) for result in results]
    return CaseSide(f"/runs/{stored.run.id}/cases/{found.case_index}", parts, lines, passages)


def _wording_labels(wordings: Sequence[tuple[str, ...]]) -> list[str]:
    """Return `wording A`, `wording B` and so on instead of hashes; equal wordings have the same letter."""
    unique = list(dict.fromkeys(wordings))
    return [
        f"wording {chr(ord('A') + unique.index(wording))}" if any(wording) else "" for wording in wordings
    ]


class ComparisonPreview(NamedTuple):
    """Another run before its differences are computed: warnings as far as the runs alone show, and common metrics.

    Of each metric: its name, and the means over all cases of the baseline and of this run, None without a score.
    """

    name: str
    warnings: list[str]
    metrics: list[tuple[str, float | None, float | None]]


def comparison_previews(runs: Sequence[StoredRun], lines: Sequence[RunLine]) -> list[ComparisonPreview]:
    """Return what is known of each other run and the first while their differences are computed.

    It is read from counts that the store keeps, so it takes no longer for larger runs.
    """
    means = {line.spec: line.figure.mean for line in lines[0].metrics}
    previews: list[ComparisonPreview] = []
    for stored, line in zip(runs[1:], lines[1:], strict=True):
        warnings = caveats(_empty_report(runs[0]), _empty_report(stored), _NO_MATCHES)
        names = metric_names(line.metrics)
        metrics = [
            (names[metric.spec], means[metric.spec], metric.figure.mean)
            for metric in line.metrics
            if metric.spec in means
        ]
        previews.append(ComparisonPreview(name_of(stored.run), list(warnings), metrics))
    return previews


def _empty_report(stored: StoredRun) -> Report:
    return Report(run=stored.run, cases=[], results=[], complete=stored.state == "complete")


def word_diff(before: str, after: str) -> WordDiff:
    """Return where two texts differ, word by word."""
    old, new = _tokens(before), _tokens(after)
    matcher = SequenceMatcher(None, old[:_MAX_WORDS], new[:_MAX_WORDS], autojunk=False)
    gone: list[DiffPart] = []
    came: list[DiffPart] = []
    for kind, was, was_end, now, now_end in matcher.get_opcodes():
        if was < was_end:
            gone.append(DiffPart("same" if kind == "equal" else "gone", "".join(old[was:was_end])))
        if now < now_end:
            came.append(DiffPart("same" if kind == "equal" else "new", "".join(new[now:now_end])))
    return WordDiff(tuple(gone), tuple(came), len(old) > _MAX_WORDS or len(new) > _MAX_WORDS)


def _tokens(text: str) -> list[str]:
    """Return the words, at most one more than are compared, so that a longer text can be recognised."""
    matches = islice(_TOKEN.finditer(text), _MAX_WORDS + 1)
    return [match.group()[:_MAX_WORDS] for match in matches]
