"""Labels from the annotations in a store: the verdict of each person, and the majority.

An annotation of a metric's result is a label for that metric. An annotation of a whole test case is a label for every
metric. An annotation of a claim is a label for the metric's verdict on it: each annotated claim is then its own case.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.errors import BadOption
from ragstone.reports.agreement.human_labels import LABEL, NOTE
from ragstone.reports.report import Report
from ragstone.result import Result
from ragstone.store import CAUSE, Annotation, Target, by_target

_HALF = 0.5
_VALUES: dict[str, float | None] = {"yes": 1.0, "no": 0.0, "idk": None}

AnnotationsByTarget = Mapping[tuple[int, Target], Mapping[str, Annotation]]


def with_annotations(
    report: Report, annotations: Sequence[Annotation], places: Sequence[int], spec: str = ""
) -> Report:
    """Return the report with the annotations as labels in the metadata of its test cases.

    Args:
        report: the run.
        annotations: its annotations by people.
        places: the place in the run of each test case of the report.
        spec: the metric whose annotations are used. Where empty, the annotations of whole cases are used, or those of
            the only annotated metric.

    Raises:
        BadOption: there are no such annotations.
    """
    annotations = [annotation for annotation in annotations if annotation.target != CAUSE]
    specs = {annotation.target.spec for annotation in annotations if annotation.target.spec}
    wholes = any(not annotation.target.spec for annotation in annotations)
    if not spec and not wholes and len(specs) == 1:
        (spec,) = specs
    grouped = by_target(annotations)
    people = sorted({one.annotator for one in annotations})
    labels = {place: _of_a_case(grouped, place, spec) for place in places}
    if any(labels.values()):
        return _with_labels(report, places, labels, people, spec)
    claims = {
        key: words for key, words in grouped.items() if key[1].statement is not None and key[1].spec == spec
    }
    if not claims:
        named = f"Choose what was annotated with --metric: {', '.join(sorted(specs))}." if specs else _HOW
        raise BadOption(
            f"Nobody has annotated {spec or 'the cases as a whole'} in the run {report.run.id}. {named}"
        )
    return _of_claims(report, places, claims, people, spec)


_HOW = "Annotate it first: ragstone annotate RUN --annotator NAME."


def _of_a_case(grouped: AnnotationsByTarget, place: int, spec: str) -> Mapping[str, Annotation]:
    whole = grouped.get((place, Target()), {})
    return {**whole, **grouped.get((place, Target(spec)), {})} if spec else whole


def _with_labels(
    report: Report,
    places: Sequence[int],
    labels: Mapping[int, Mapping[str, Annotation]],
    people: Sequence[str],
    spec: str,
) -> Report:
    cases = [_labelled(case, labels[place], people) for place, case in zip(places, report.cases, strict=True)]
    results = [[result for result in row if spec in ("", result.spec)] for row in report.results]
    return replace(report, cases=cases, results=results)


def _labelled(case: TestCase, words: Mapping[str, Annotation], people: Sequence[str]) -> TestCase:
    metadata = {
        name: value for name, value in case.metadata.items() if name not in (LABEL, NOTE, "annotators")
    }
    ratings = [_VALUES[words[name].verdict] if name in words else None for name in people]
    label = _majority(rating for rating in ratings if rating is not None)
    said: dict[str, object] = {"annotators": ratings} if words else {}
    notes = [words[name].note for name in people if name in words and words[name].note]
    if notes:
        said[NOTE] = " / ".join(notes)
    return case.model_copy(update={"metadata": {**metadata, **said, LABEL: label}})


def _majority(ratings: Iterable[float]) -> float | None:
    """Return the majority; None without votes, or in case of a tie."""
    given = list(ratings)
    share = sum(given) / len(given) if given else _HALF
    return None if share == _HALF else float(share > _HALF)


def _of_claims(
    report: Report,
    places: Sequence[int],
    claims: AnnotationsByTarget,
    people: Sequence[str],
    spec: str,
) -> Report:
    """Return a report in which each annotated claim is a case, scored by the verdict on it."""
    position = {place: number for number, place in enumerate(places)}
    cases: list[TestCase] = []
    results: list[list[Result]] = []
    for (place, target), words in sorted(
        claims.items(), key=lambda item: (item[0][0], item[0][1].statement or 0)
    ):
        case = report.cases[position[place]]
        result = next((one for one in report.results[position[place]] if one.spec == spec), None)
        verdict = _verdict(result, target.statement or 0)
        if result is None or verdict is None:
            continue
        one = _claim_case(case, next(iter(words.values())).claim, target.statement or 0)
        cases.append(_labelled(one, words, people))
        results.append([_claim_result(result, verdict, one.id)])
    return replace(report, cases=cases, results=results)


def _claim_case(case: TestCase, claim: str, number: int) -> TestCase:
    return case.model_copy(
        update={"actual_output": claim or case.actual_output, "id": f"{case.id}/{number + 1}"}
    )


def _claim_result(result: Result, score: float, case_id: str) -> Result:
    return result.model_copy(
        update={
            "score": score,
            "success": score >= _HALF,
            "threshold": _HALF,
            "higher_is_better": True,
            "metadata": dict[str, Any](),
            "case_id": case_id,
        }
    )


def _verdict(result: Result | None, number: int) -> float | None:
    """Return the verdict of the metric on a claim: the probability of yes, else 1 or 0; 0.5 where undecided."""
    verdicts: object = result.metadata.get("verdicts") if result else None
    known = cast("list[object]", verdicts) if isinstance(verdicts, list) else []
    found = known[number] if number < len(known) else None
    if not isinstance(found, dict):
        return None
    verdict = cast("dict[str, object]", found)
    probability = verdict.get("probability")
    if isinstance(probability, float):
        return probability
    return {"yes": 1.0, "no": 0.0, "idk": _HALF}.get(str(verdict.get("verdict")))
