"""Read human labels from the metadata of test cases, and measure the agreement of annotators with each other.

A label is a field of a case's metadata: yes or no (also as words), a grade on a scale, or, for a pair of cases with two
answers to one question, how much better the second answer is. The field `annotators` may hold the label of each person,
and `scale` the lowest and the highest grade. For a metric that gives labels it may be one of them, by name.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ragstone.case import TestCase
from ragstone.errors import BadDataset, BadOption, UnknownName
from ragstone.stats.estimate import Estimate, estimate
from ragstone.stats.kappa import fleiss_kappa, krippendorff_alpha

LABEL = "label"
"""Default metadata field of a label."""

NOTE = "note"
"""Metadata field of the reason that people gave for a label."""

Kind = Literal["yes or no", "grades", "pairs", "labels"]
Ratings = tuple[float | None, ...]

_YES = frozenset({"yes", "true", "pass", "passed", "correct", "supported", "relevant", "good", "positive"})
_NO = frozenset(
    {"no", "false", "fail", "failed", "incorrect", "wrong", "unsupported", "irrelevant", "bad", "negative"}
)
_PAIR_SIDES = ("text", "text2")


@dataclass(frozen=True, slots=True)
class HumanLabels:
    """The human labels of the test cases."""

    field: str  # the metadata field of the labels
    kind: Kind  # yes or no (1 or 0), grades, preferences over pairs, or labels by name
    # one for each case; None for a case without a label. Of labels by name, their place in `categories`
    values: tuple[float | None, ...]
    # for each case the labels of each person; None where they are unknown
    annotators: tuple[Ratings | None, ...]
    scale: tuple[float, float]  # lowest and highest grade; (0, 1) for yes or no
    categories: tuple[str, ...] = ()  # the labels by name; empty for any other kind

    def name(self, place: int) -> str | None:
        """Return the label of the case at a place, by name; None without one."""
        value = self.values[place]
        return None if value is None or not self.categories else self.categories[int(value)]

    def unit(self, value: float) -> float:
        """Return a label on the scale of scores, 0 to 1."""
        low, high = self.scale
        return (value - low) / (high - low)


def read_labels(cases: Sequence[TestCase], field: str = LABEL, categories: Sequence[str] = ()) -> HumanLabels:
    """Return the labels of `cases`; `field` may select a nested field, such as `labels.overall`.

    Where one of the labels is among `categories`, all are read as names of these.

    Raises:
        UnknownName: no case has such a field in its metadata, but there are others.
        BadOption: no case has any metadata.
        BadDataset: a label is neither a number nor a word for yes or no, nor one of the categories.
    """
    check_labels(cases, field)
    places = {_plain(name): float(place) for place, name in enumerate(categories)}
    if any(_plain(_lookup(case.metadata, field)) in places for case in cases):
        return _named_labels(cases, field, categories, places)
    values = tuple(_label_value(_lookup(case.metadata, field), case, field) for case in cases)
    given = [value for value in values if value is not None]
    kind: Kind = "yes or no" if set(given) <= {0.0, 1.0} else "grades"
    if any("pair" in case.metadata and case.metadata.get("side") in _PAIR_SIDES for case in cases):
        kind = "pairs"
    annotators = _without_rare_annotators([_ratings(case, field) for case in cases])
    return HumanLabels(field, kind, values, annotators, _scale(cases, kind, given, annotators))


def _named_labels(
    cases: Sequence[TestCase], field: str, categories: Sequence[str], places: Mapping[str, float]
) -> HumanLabels:
    values: list[float | None] = []
    annotators: list[Ratings | None] = []
    for case in cases:
        given = _plain(_lookup(case.metadata, field))
        if given and given not in places:
            raise BadDataset(
                f"test case {case.name or case.id!r}: {field}={given!r} is none of the metric's labels: write "
                f"{', '.join(categories)}"
            )
        values.append(places.get(given))
        ratings: object = case.metadata.get("annotators")
        rated = cast("Sequence[object]", ratings) if isinstance(ratings, list | tuple) else None
        annotators.append(None if rated is None else tuple(places.get(_plain(value)) for value in rated))
    scale = (0.0, float(max(1, len(categories) - 1)))
    people = _without_rare_annotators(annotators)
    return HumanLabels(field, "labels", tuple(values), people, scale, tuple(categories))


def _plain(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def check_labels(cases: Iterable[TestCase], field: str) -> None:
    """Check that at least one case is labelled. Stops reading at the first one.

    Raises:
        UnknownName: no case has such a field in its metadata, but there are others.
        BadOption: no case has any metadata.
    """
    field_names: set[str] = set()
    for case in cases:
        if _lookup(case.metadata, field) is not None:
            return
        field_names.update(case.metadata)
    if not field_names:
        raise BadOption(
            f"No test case has a label: metadata is empty. Add a column {field!r}: 1 or 0, yes or no, or a grade."
        )
    raise UnknownName("label in the metadata of any test case", field, field_names)


def _lookup(metadata: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401  (metadata hold anything)
    """Return the value of a name or of a dotted path of names, or None if there is none."""
    if path in metadata:
        return metadata[path]
    head, dot, rest = path.partition(".")
    inner: object = metadata.get(head)
    return _lookup(cast("dict[str, Any]", inner), rest) if dot and isinstance(inner, dict) else None


def _label_value(value: object, case: TestCase, field: str) -> float | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    number = _parse_label(value)
    if number is None:
        raise BadDataset(
            f"test case {case.name or case.id!r}: {field}={value!r} is not a label: write 1 or 0, yes or no, or a grade"
        )
    return number


def _parse_label(value: object) -> float | None:
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _YES or word in _NO:
            return float(word in _YES)
        try:
            value = float(word)
        except ValueError:
            return None
    return float(value) if isinstance(value, bool | int | float) and isfinite(value) else None


def _ratings(case: TestCase, field: str) -> Ratings | None:
    """Return each person's labels; with several aspects, those of the label's aspect."""
    ratings: object = case.metadata.get("annotators")
    if isinstance(ratings, dict):
        groups = cast("dict[str, Any]", ratings)
        names = (field.rpartition(".")[2], str(case.metadata.get("aspect", "")), "overall")
        ratings = next((groups[name] for name in names if name in groups), None)
    if not isinstance(ratings, list | tuple):
        return None
    return tuple(_parse_label(value) for value in cast("Sequence[object]", ratings))


def _without_rare_annotators(rows: Sequence[Ratings | None]) -> tuple[Ratings | None, ...]:
    """Drop people who labelled fewer than half of the annotated cases, if at least two others are left.

    Somebody who was asked only where the others differed saw only hard cases, on which everybody seems to disagree.
    """
    given = [row for row in rows if row]
    width = max(map(len, given), default=0)
    counts = [sum(len(row) > column and row[column] is not None for row in given) for column in range(width)]
    kept = [column for column, count in enumerate(counts) if 2 * count >= len(given)]
    if len(kept) < 2 or len(kept) == width:  # noqa: PLR2004  (a pair is the least that can agree)
        return tuple(rows)
    return tuple(row and tuple(row[column] if column < len(row) else None for column in kept) for row in rows)


def _scale(
    cases: Sequence[TestCase], kind: Kind, given: Sequence[float], annotators: Sequence[Ratings | None]
) -> tuple[float, float]:
    if kind == "yes or no":
        return 0.0, 1.0
    declared: object = next((case.metadata["scale"] for case in cases if "scale" in case.metadata), None)
    if isinstance(declared, list | tuple):
        ends = [end for item in cast("Sequence[object]", declared) if (end := _parse_label(item)) is not None]
        if len(ends) == 2 and ends[0] != ends[1] and all(min(ends) <= value <= max(ends) for value in given):  # noqa: PLR2004  (two ends)
            return min(ends), max(ends)
    all_values = [*given, *(value for row in annotators if row for value in row if value is not None)]
    low, high = min(all_values), max(all_values)
    return (low, high) if low < high else (low, low + 1.0)


FloatArray = NDArray[np.float64]
_RESAMPLES = 300
_MIN_RATINGS = 2


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Agreement of annotators with each other."""

    n: int  # cases that at least two annotators labelled
    alpha: Estimate  # Krippendorff's alpha, nominal for yes or no, interval for grades
    fleiss: Estimate | None  # Fleiss' kappa; None where cases have different numbers of labels


def annotator_agreement(
    annotators: Sequence[Ratings | None],
    scale: Literal["nominal", "interval"],
    clusters: Sequence[Hashable] | None = None,
) -> AnnotatorAgreement | None:
    """Return the agreement of annotators with each other, or None if no case was labelled by two."""
    rows = [
        (place, [value for value in row if value is not None])
        for place, row in enumerate(annotators)
        if row is not None
    ]
    several = [(place, row) for place, row in rows if len(row) >= _MIN_RATINGS]
    if not several:
        return None
    width = max(len(row) for _, row in several)
    table = np.array([row + [nan] * (width - len(row)) for _, row in several])
    groups = None if clusters is None else [clusters[place] for place, _ in several]

    def alpha(table: FloatArray) -> float:
        return krippendorff_alpha([[v for v in row if v == v] for row in table.tolist()], scale)  # noqa: PLR0124  (not NaN)

    def fleiss(table: FloatArray) -> float:
        return fleiss_kappa(table.tolist())

    complete = bool(np.all(np.isfinite(table)))
    return AnnotatorAgreement(
        n=len(several),
        alpha=estimate(alpha, table, clusters=groups, resamples=_RESAMPLES),
        fleiss=estimate(fleiss, table, clusters=groups, resamples=_RESAMPLES) if complete else None,
    )


def alpha_of_two(first: FloatArray, second: FloatArray) -> float:
    """Return Krippendorff's alpha of two raters without gaps, by squared differences.

    That is the interval alpha, and for values of 0 and 1 the nominal one as well. With D the mean squared difference
    within cases and V the variance (n - 1) of all values together, alpha = 1 - D / 2V.
    """
    pooled = np.concatenate([first, second])
    variance = float(pooled.var(ddof=1)) if pooled.size > 1 else 0.0
    return 1.0 - float(np.mean((first - second) ** 2)) / (2.0 * variance) if variance > 0.0 else nan
