"""The labelled cases of a run: human labels, the judge's scores, and their disagreements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.case import TestCase
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.agreement.human_labels import NOTE, read_labels
from ragstone.findings.clusters import clusters
from ragstone.metrics import Metric
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.guidance import DecidedExample

LEAST = 10
"""Minimum number of labels of each kind; with fewer, folds may lack cases to learn from."""

_MAX_TEXT_CHARACTERS = 3000
"""Maximum number of characters of one text of an example."""

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """The cases of a run with a label and a score.

    Attributes:
        metric: the metric that the labels are about.
        cases: the test cases.
        truth: the human labels; true means pass.
        scores: scores by the plain judge, as 1 - score if lower is better.
        codes: the group of each case; None without groups.
        reasons: the judge's reasons.
        left_out: number of labelled cases without a score.
    """

    metric: Metric
    cases: tuple[TestCase, ...]
    truth: NDArray[np.bool_]
    scores: NDArray[np.float64]
    codes: tuple[int, ...] | None
    reasons: tuple[str, ...]
    left_out: int

    @property
    def threshold(self) -> float:
        """The metric's threshold, as 1 - threshold if lower is better."""
        return self.metric.cutoff if self.metric.higher_is_better else 1.0 - self.metric.cutoff

    def decided(self, scores: NDArray[np.float64], threshold: float | None = None) -> NDArray[np.bool_]:
        """Return which scores pass, with a tolerance of 1e-9, as for results."""
        return scores >= (self.threshold if threshold is None else threshold) - 1e-9

    def disagreements(self, places: Places) -> list[int]:
        """Return the positions where judge and label differ, the worst first, alternating false passes and false fails.

        Only the first one of each group is taken, since further cases of a group add little.
        """
        wrong = places[self.decided(self.scores[places]) != self.truth[places]]
        order = np.argsort(-np.abs(self.scores[wrong] - self.threshold), kind="stable")
        worst: list[int] = wrong[order].tolist()
        kinds = [[place for place in worst if bool(self.truth[place]) is yes] for yes in (False, True)]
        chosen: list[int] = []
        seen: set[int] = set()
        for rank in range(max(map(len, kinds), default=0)):
            for place in (kind[rank] for kind in kinds if rank < len(kind)):
                group = -1 - place if self.codes is None else self.codes[place]
                if group not in seen:
                    seen.add(group)
                    chosen.append(place)
        return chosen

    def example(self, place: int) -> DecidedExample:
        """Return a case as an example: the fields that the metric needs, the human decision and the note."""
        case = self.cases[place]
        return DecidedExample(
            case.id, tuple(_texts(case, self.metric)), "pass" if self.truth[place] else "fail", _note(case)
        )

    def note(self, place: int) -> str:
        """Return the annotator's note on a case; empty if there is none."""
        return _note(self.cases[place])


def labelled_run(report: Report, metric: Metric, label: str, cluster: str | None) -> LabelledRun:
    """Return the labelled cases of a report.

    Raises:
        UsageError: there is no label, labels are no yes or no, or there are too few of them.
    """
    labels = read_labels(report.cases, label)
    if labels.kind != "yes or no":
        raise BadOption(
            f"The labels in {label} are {labels.kind}: tuning needs yes or no (1 or 0) for each answer"
        )
    groups = clusters(report.cases, cluster or report.run.plan.cluster)
    rows = [next((result for result in row if result.spec == metric.spec), None) for row in report.results]
    given = [place for place, value in enumerate(labels.values) if value is not None]
    kept = [place for place in given if (result := rows[place]) is not None and result.score is not None]
    truth = np.array([labels.values[place] == 1.0 for place in kept], dtype=np.bool_)
    _check_label_counts(truth, metric)
    scored = np.array([rows[place].score for place in kept], dtype=np.float64)  # pyright: ignore[reportOptionalMemberAccess]  (kept ones have results)
    return LabelledRun(
        metric=metric,
        cases=tuple(report.cases[place] for place in kept),
        truth=truth,
        scores=scored if metric.higher_is_better else 1.0 - scored,
        codes=None if groups is None else tuple(_codes([(groups[place], place) for place in kept])),
        reasons=tuple((result.reason or "") if (result := rows[place]) else "" for place in kept),
        left_out=len(given) - len(kept),
    )


def _check_label_counts(truth: NDArray[np.bool_], metric: Metric) -> None:
    yes = int(truth.sum())
    if min(yes, truth.size - yes) < LEAST:
        raise BadOption(
            f"{yes} labels are yes and {truth.size - yes} are no for {metric.title}: tuning needs at least {LEAST} of "
            "each, and several dozen to show an effect. Annotate more answers, both good and bad."
        )


def _codes(groups: Sequence[tuple[object, int]]) -> Iterable[int]:
    """Yield the number of each case's group; a case without a group forms its own."""
    numbers: dict[object, int] = {}
    for group, place in groups:
        yield numbers.setdefault(("alone", place) if group is None else ("group", group), len(numbers))


def _note(case: TestCase) -> str:
    note: object = case.metadata.get(NOTE)
    return note.strip() if isinstance(note, str) else ""


def _texts(case: TestCase, metric: Metric) -> Iterable[tuple[str, EvidenceText]]:
    for name in metric.fields_needed:
        value = getattr(case, name, None)
        if isinstance(value, str) and value:
            yield name.replace("_", " "), _shortened(value)
        elif name in ("retrieval_context", "context") and case.passages(name):
            yield "passages", tuple(_shortened(passage) for passage in case.passages(name))


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT_CHARACTERS else f"{text[:_MAX_TEXT_CHARACTERS]} …"
