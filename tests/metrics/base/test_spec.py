import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption, UnknownName
from ragstone.metrics import ContextualRecall, ExactMatch, Faithfulness, Metric, parse
from ragstone.metrics.base.definition import spec, spec_name


class Shout(ExactMatch):
    """A metric of the user's own."""


@for_each(
    "text, metric",
    [
        ("faithfulness", Faithfulness()),
        (" Faithfulness ", Faithfulness()),
        ("contextual-recall", ContextualRecall()),
        ("ContextualRecall()", ContextualRecall()),
        ("faithfulness(threshold=0.8, evidence='context')", Faithfulness(threshold=0.8, evidence="context")),
    ],
)
def test_names_are_read_leniently(text: str, metric: Metric) -> None:
    assert parse(text) == metric


def test_spec_omits_options_at_their_defaults() -> None:
    assert spec(Faithfulness(threshold=0.5)) == "faithfulness"
    assert repr(Faithfulness(batch_size=5)) == "faithfulness(batch_size=5)"


def test_custom_metric_is_named_by_its_import_path() -> None:
    assert spec_name(Shout) == f"{__name__}:Shout"
    assert parse(repr(Shout(case_sensitive=False))) == Shout(case_sensitive=False)


@for_each(
    "text, error, told",
    [
        ("fathfulness", UnknownName, "Did you mean 'faithfulness'"),
        ("faithfulness(treshold=0.8)", BadOption, "Did you mean 'threshold'"),
        ("faithfulness(0.8)", BadOption, "option=value"),
        ("faithfulness(threshold=", BadOption, "option=value"),
        ("faithfulness(threshold=__import__('os').abort())", BadOption, "option=value"),
        ("faithfulness(**{'threshold': 1})", BadOption, "option=value"),
        ("faithfulness(threshold=2)", BadOption, "is not a score"),
    ],
)
def test_invalid_spec_error_says_what_to_write(text: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        parse(text)


@for_each("value", ["-" * 5000 + "1", "1+" * 20_000 + "1", "[" * 3000, "(" * 3000, "1," * 200_000])
def test_spec_that_python_cannot_parse_gives_short_error(value: str) -> None:
    with pytest.raises(BadOption, match="is not a metric") as caught:
        parse(f"exact_match(threshold={value})")
    assert len(str(caught.value)) < 400
