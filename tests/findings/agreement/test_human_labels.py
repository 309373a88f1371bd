from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadDataset, BadOption, UnknownName
from ragstone.findings.agreement.human_labels import read_labels


def cases(*labels: Any, **shared: Any) -> list[TestCase]:
    return [TestCase(input=str(n), metadata={"label": label, **shared}) for n, label in enumerate(labels)]


def test_yes_and_no_in_numbers_and_words() -> None:
    found = read_labels(cases(1, 0, True, "yes", " No", "supported", "0", None, ""))
    assert found.kind == "yes or no"
    assert found.values == (1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, None, None)
    assert found.unit(1.0) == 1.0


def test_grade_scale_is_given_or_taken_from_labels() -> None:
    told, seen = read_labels(cases(1.5, 4, scale=[1, 5])), read_labels(cases(1.5, 4))
    assert (told.kind, told.scale, told.unit(3.0)) == ("grades", (1.0, 5.0), 0.5)
    assert seen.scale == (1.5, 4.0)
    assert read_labels(cases(7, 4, scale=[1, 5])).scale == (
        4.0,
        7.0,
    )  # a scale that the labels leave is not theirs


def test_dotted_label_path_finds_annotators_of_the_aspect() -> None:
    case = TestCase(
        input="q",
        metadata={
            "labels": {"overall": 2, "style": 1},
            "annotators": {"overall": [1, 3], "style": [1, None]},
        },
    )
    found = read_labels([case], "labels.style")
    assert (found.values, found.annotators) == ((1.0,), ((1.0, None),))
    assert read_labels([case], "labels.overall").annotators == ((1.0, 3.0),)


def test_tie_breaking_annotators_are_left_out() -> None:
    rows = [[1, 1]] * 8 + [[1, 0, 1], [0, 1, 0]]
    found = read_labels(
        [TestCase(input=str(n), metadata={"label": 1, "annotators": row}) for n, row in enumerate(rows)]
    )
    assert found.annotators == ((1.0, 1.0),) * 8 + ((1.0, 0.0), (0.0, 1.0))
    crowd = [[1, None, None], [None, 0, None], [None, None, 1]]
    found = read_labels(
        [TestCase(input=str(n), metadata={"label": 1, "annotators": row}) for n, row in enumerate(crowd)]
    )
    assert found.annotators == ((1.0, None, None), (None, 0.0, None), (None, None, 1.0))


def test_rows_with_pair_and_side_are_pair_labels() -> None:
    two = [
        TestCase(input="q", metadata={"label": 2, "pair": "p", "side": side}) for side in ("text", "text2")
    ]
    assert read_labels(two).kind == "pairs"


@for_each("label", ["perhaps", [1], float("nan"), {"a": 1}])
def test_invalid_label_raises_with_its_case(label: Any) -> None:
    with pytest.raises(BadDataset, match=r"test case .*: label=.* is not a label: write 1 or 0"):
        read_labels(cases(1, label))


def test_missing_labels_raise() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'label'"):
        read_labels(cases(1), "lable")
    with pytest.raises(BadOption, match="metadata is empty"):
        read_labels([TestCase(input="q")])
