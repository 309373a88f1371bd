"""Labels from the annotations in a store: the verdict of each person, and the majority.

An annotation of a metric's result is a label for that metric. An annotation of a whole test case is a label for every
metric. An annotation of a claim is a label for the metric's verdict on it: each annotated claim is then its own case.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragstone.case import TestCase
from ragstone.errors import BadOption
from ragstone.findings.agreement.human_labels import LABEL, NOTE
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.store import CAUSE, Annotation, Target, by_target

_HALF = 0.5
_RATINGS: dict[str, float | None] = {"yes": 1.0, "no": 0.0, "idk": None}

AnnotationsByTarget = Mapping[tuple[int, Target], Mapping[str, Annotation]]


def with_annotations(
    report: Report, annotations: Sequence[Annotation], places: Sequence[int], spec: str = ""
) -> Report:
    """Return the report with the annotations as labels in the metadata of its test cases.

    `places` are the places in the run of the test cases of the report. `spec` is the metric whose annotations are used;
    where empty, those of whole cases, or of the only annotated metric.

    Raises:
        BadOption: there are no such annotations.
    """
    annotations = [annotation for annotation in annotations if annotation.target != CAUSE]
    specs = {annotation.target.spec for annotation in annotations if annotation.target.spec}
    any_whole = any(not annotation.target.spec for annotation in annotations)
    if not spec and not any_whole and len(specs) == 1:
        (spec,) = specs
    grouped = by_target(annotations)
    people = sorted({annotation.annotator for annotation in annotations})
    labels = {place: _case_annotations(grouped, place, spec) for place in places}
    if any(labels.values()):
        placed = zip(places, report.cases, strict=True)
        cases = [_labelled(case, labels[place], people) for place, case in placed]
        results = [[result for result in row if spec in ("", result.spec)] for row in report.results]
        return replace(report, cases=cases, results=results)
    claims = {
        key: votes for key, votes in grouped.items() if key[1].statement is not None and key[1].spec == spec
    }
    if not claims:
        hint = "Annotate it first: ragstone annotate RUN --annotator NAME."
        if specs:
            hint = f"Choose what was annotated with --metric: {', '.join(sorted(specs))}."
        raise BadOption(
            f"Nobody has annotated {spec or 'the cases as a whole'} in the run {report.run.id}. {hint}"
        )
    return _claims_report(report, places, claims, people, spec)


def _case_annotations(grouped: AnnotationsByTarget, place: int, spec: str) -> Mapping[str, Annotation]:
    of_case = grouped.get((place, Target()), {})
    return {**of_case, **grouped.get((place, Target(spec)), {})} if spec else of_case


def _labelled(case: TestCase, votes: Mapping[str, Annotation], people: Sequence[str]) -> TestCase:
    metadata = {
        name: value for name, value in case.metadata.items() if name not in (LABEL, NOTE, "annotators")
    }
    ratings = [_RATINGS[votes[name].verdict] if name in votes else None for name in people]
    label = _majority(rating for rating in ratings if rating is not None)
    label_fields: dict[str, object] = {"annotators": ratings} if votes else {}
    notes = [votes[name].note for name in people if name in votes and votes[name].note]
    if notes:
        label_fields[NOTE] = " / ".join(notes)
    return case.model_copy(update={"metadata": {**metadata, **label_fields, LABEL: label}})


def _majority(ratings: Iterable[float]) -> float | None:
    """Return the majority; None without votes, or in case of a tie."""
    votes = list(ratings)
    share = sum(votes) / len(votes) if votes else _HALF
    return None if share == _HALF else float(share > _HALF)


def _claims_report(
    report: Report,
    places: Sequence[int],
    claims: AnnotationsByTarget,
    people: Sequence[str],
    spec: str,
) -> Report:
    """Return a report in which each annotated claim is a case, scored by the verdict on it."""
    indices = {place: index for index, place in enumerate(places)}
    cases: list[TestCase] = []
    results: list[list[Result]] = []
    ordered = sorted(claims.items(), key=lambda item: (item[0][0], item[0][1].statement or 0))
    for (place, target), votes in ordered:
        case, index = report.cases[indices[place]], target.statement or 0
        result = next((result for result in report.results[indices[place]] if result.spec == spec), None)
        score = _verdict_score(result, index)
        if result is None or score is None:
            continue
        claim, case_id = next(iter(votes.values())).claim, f"{case.id}/{index + 1}"
        fields = {"actual_output": claim or case.actual_output, "id": case_id}
        cases.append(_labelled(case.model_copy(update=fields), votes, people))
        update = {
            **dict.fromkeys(("score", "low", "high"), score),
            "success": score >= _HALF,
            "threshold": _HALF,
            "higher_is_better": True,
            "metadata": dict[str, Any](),
            "case_id": case_id,
        }
        results.append([result.model_copy(update=update)])
    return replace(report, cases=cases, results=results)


def _verdict_score(result: Result | None, index: int) -> float | None:
    """Return the verdict of the metric on a claim: the probability of yes, else 1 or 0; 0.5 where undecided."""
    verdicts = result.verdicts if result else ()
    if index >= len(verdicts):
        return None
    verdict = verdicts[index]
    if verdict.probability is not None:
        return verdict.probability
    return {"yes": 1.0, "no": 0.0}.get(verdict.verdict, _HALF)
