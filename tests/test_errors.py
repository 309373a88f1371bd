import copy
import inspect
import re

from ragstone import errors
from ragstone.errors import (
    BadOption,
    MissingExtra,
    MissingField,
    RagstoneError,
    StoreError,
    UnknownName,
    describe,
)
from tests.testing.for_each import for_each


def test_docstring_tree_lists_every_error_class() -> None:
    drawn = re.findall(r"([A-Z]\w+)(?:   |$)", errors.__doc__ or "", re.MULTILINE)
    drawn += re.findall(r"─ ([A-Z]\w+)", errors.__doc__ or "")
    classes = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, RagstoneError)
    }
    assert set(drawn) & classes == classes


def test_every_error_class_has_a_docstring() -> None:
    for value in vars(errors).values():
        if inspect.isclass(value) and issubclass(value, RagstoneError):
            assert value.__doc__


def test_unknown_name_suggests_the_nearest() -> None:
    message = str(UnknownName("metric", "faithfullness", ["hallucination", "faithfulness"]))
    assert message == (
        "There is no metric named 'faithfullness'. Did you mean 'faithfulness'? Known: faithfulness, hallucination."
    )
    assert "Did you mean" not in str(UnknownName("metric", "zzz", ["faithfulness"]))


def test_missing_field_names_metric_case_and_field() -> None:
    error = MissingField("Faithfulness", "test case 'a1'", ["retrieval_context"])
    assert "Faithfulness" in str(error)
    assert "'a1'" in str(error)
    assert "'retrieval_context'" in str(error)
    assert error.fields == ("retrieval_context",)


def test_missing_extra_shows_the_line_that_installs_it() -> None:
    assert "pip install 'ragstone[parquet]'" in str(MissingExtra("Parquet", "parquet"))


def test_describe_is_one_line_with_the_type() -> None:
    assert describe(ValueError("a\n  b")) == "ValueError: a b"
    assert describe(TimeoutError()) == "TimeoutError"


@for_each(
    "text, shown",
    [
        ("'ftp://me:SECRET@host/runs' is no store", "'ftp://me:***@host/runs' is no store"),
        ("http:/me:SECRET@host/x is an address", "http:/me:***@host/x is an address"),
        ("postgresql://me:SEC/RET@SECRET@host:5432 fails", "postgresql://me:***@host:5432 fails"),
        (
            "openai:m@http://localhost:8000/v1 by ann@example.org",
            "openai:m@http://localhost:8000/v1 by ann@example.org",
        ),
        ("postgresql://me@host:5432/runs", "postgresql://me@host:5432/runs"),
    ],
)
def test_no_message_shows_the_password_of_an_address(text: str, shown: str) -> None:
    assert str(BadOption(text)) == shown
    assert str(copy.copy(StoreError(text))) == shown
