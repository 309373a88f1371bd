"""The baseline as a file to commit: scores without texts, one test case on each line, ordered by id."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ragstone.atomic import atomic_write
from ragstone.case import TestCase, describe_invalid
from ragstone.errors import BadDataset
from ragstone.findings.comparison.run_scores import QUESTION_DIGEST
from ragstone.findings.fingerprint import hash_test_set, question_digest
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.run import Plan, Run

CRITICAL = "critical"
"""The tag of a test case that must not break."""

DIGITS = 4
"""Decimals of a score in a baseline. Scores of a run are rounded to as many before they are compared with it."""

Score = Annotated[float, Field(ge=0, le=1)]


class BaselineMetric(BaseModel):
    """A metric of a baseline; see the attributes of `Result`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    spec: str
    threshold: float | None
    higher_is_better: bool
    categories: tuple[str, ...] = ()


class BaselineCase(BaseModel):
    """The scores of one test case, in the order of the metrics; None where a metric gave none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str  # id of the test case
    question: str  # digest of its question, by which it is matched if its id comes from content that changed
    scores: tuple[Score | None, ...]  # rounded to `DIGITS` decimals
    # whether each was on the right side of its threshold; None where it has none or is undecided
    passed: tuple[bool | None, ...]
    # the least and the greatest possible score, where a part of a score is undecided; empty where none is
    bounds: tuple[tuple[Score, Score] | None, ...] = ()
    # the label that each metric gave, empty where it is undecided; None without one. Empty where no metric gives
    # labels
    labels: tuple[str | None, ...] = ()
    critical: bool = False  # whether the test case must not break

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that a baseline keeps of a test case."""
        return (CRITICAL,) if self.critical else ()


class BaselineFile(BaseModel):
    """A run as the baseline of later ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ragstone_baseline: Literal[1] = 1  # version of this format
    name: str  # name of the baseline
    run: str  # id of the run
    created: datetime  # when the run began
    test_set: str  # digest of the questions and references; see `hash_test_set`
    judge: str  # name of the judge
    repeats: int = Field(default=1, ge=1)  # how often each case was measured
    prompts: dict[str, str] = Field(default_factory=dict[str, str])  # digest of each prompt's wording
    metrics: tuple[BaselineMetric, ...]  # in the order of the scores
    cases: tuple[BaselineCase, ...]  # ordered by id

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        for case in self.cases:
            columns = (case.scores, case.passed, case.bounds or case.scores, case.labels or case.scores)
            if {*map(len, columns)} != {len(self.metrics)}:
                raise ValueError(f"the test case {case.id!r} has not one score for each of the metrics")
        return self

    @classmethod
    def of(cls, report: Report, name: str) -> "BaselineFile":
        """Return the baseline made from a report."""
        rows = report.by_spec()
        firsts = [next(iter(by_place.values())) for by_place in rows.values()]
        plan = report.run.plan
        return cls(
            name=name,
            run=report.run.id,
            created=report.run.started,
            test_set=hash_test_set(report.cases),
            judge=plan.judge,
            repeats=plan.repeats,
            prompts=plan.prompts,
            metrics=tuple(
                BaselineMetric(**{name: getattr(first, name) for name in BaselineMetric.model_fields})
                for first in firsts
            ),
            cases=tuple(sorted(_baseline_cases(report, list(rows.values())), key=lambda case: case.id)),
        )

    def report(self) -> Report:
        """Return a report with scores only: its test cases have ids, but no texts."""
        plan = Plan(
            metrics=tuple(metric.spec for metric in self.metrics),
            judge=self.judge,
            name=self.name,
            repeats=self.repeats,
            prompts=self.prompts,
        )
        return Report(
            run=Run(id=self.run, plan=plan, started=self.created),
            cases=[
                TestCase(input="", id=case.id, metadata={QUESTION_DIGEST: case.question}, tags=case.tags)
                for case in self.cases
            ],
            results=[list(self._results(case)) for case in self.cases],
        )

    def _results(self, case: BaselineCase) -> Iterator[Result]:
        nothing = (None,) * len(self.metrics)
        columns = (case.scores, case.passed, case.bounds or nothing, case.labels or nothing)
        for metric, score, passed, ends, label in zip(self.metrics, *columns, strict=True):
            low, high = ends or (score, score)
            yield Result(
                **metric.model_dump(),
                score=score,
                low=low,
                high=high,
                label=label or None,
                success=bool(passed),
                skipped=low is None and label is None,
                case_id=case.id,
                judge=self.judge,
            )


def _baseline_cases(report: Report, columns: Sequence[Mapping[int, Result]]) -> Iterator[BaselineCase]:
    for place, case in enumerate(report.cases):
        results = [column.get(place) for column in columns]
        bounds, labels = tuple(map(_bounds, results)), tuple(map(_label, results))
        yield BaselineCase(
            id=case.id,
            question=question_digest(case.input),
            scores=tuple(None if result is None else rounded(result.score) for result in results),
            passed=tuple(
                result.success if result is not None and result.status in ("passed", "missed") else None
                for result in results
            ),
            bounds=bounds if any(bounds) else (),
            labels=labels if any(result is not None and result.categories for result in results) else (),
            critical=CRITICAL in case.tags,
        )


def _bounds(result: Result | None) -> tuple[float, float] | None:
    """Return the bounds of a score that is not decided."""
    if result is None or result.low is None or result.high is None or result.low == result.high:
        return None
    return round(result.low, DIGITS), round(result.high, DIGITS)


def _label(result: Result | None) -> str | None:
    """Return the label of a result, empty if it is undecided; None of a metric without labels."""
    if result is None or not result.categories or result.status in ("not_measured", "skipped"):
        return None
    return result.label or ""


def rounded(score: float | None) -> float | None:
    """Return a score rounded as in a baseline; None without a score."""
    return None if score is None else round(score, DIGITS)


def write_baseline(baseline: BaselineFile, path: Path) -> None:
    """Write a baseline. Missing folders are created. Equal baselines give equal bytes.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    head = baseline.model_dump(mode="json", exclude={"cases"})
    for metric in head["metrics"]:
        if not metric["categories"]:
            del metric["categories"]
    text = json.dumps(head, indent=1, sort_keys=True, ensure_ascii=False).removesuffix("\n}")
    rows = (case.model_dump(mode="json", exclude_defaults=True) for case in baseline.cases)
    body = ",\n".join(f"  {json.dumps(row, sort_keys=True, ensure_ascii=False)}" for row in rows)
    with atomic_write(path) as file:
        file.write(f'{text},\n "cases": [\n{body}\n ]\n}}\n'.encode())


def read_baseline(path: Path) -> BaselineFile:
    """Return the baseline that a file holds.

    Raises:
        BadDataset: the file is missing, or holds no baseline.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadDataset(
            f"The baseline {path} cannot be read: {error.strerror}. `ragstone gate --update` writes one."
        ) from None
    return parse_baseline(content, str(path))


def parse_baseline(content: bytes, place: str) -> BaselineFile:
    """Return the baseline that the content of a file holds.

    Raises:
        BadDataset: it is none; `place` is named.
    """
    try:
        return BaselineFile.model_validate_json(content)
    except ValidationError as error:
        raise BadDataset(
            f"{place} is not a baseline: {describe_invalid(error)}. `ragstone gate --update` writes one."
        ) from None
