import pytest
from tests.traces.otlp_requests import otlp_span, request

from ragstone.errors import BadOption, UnknownName
from ragstone.traces import parse_request
from ragstone.traces.redaction import BUILT_IN, Redaction
from ragstone.traces.span import Span


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("write to ada.l+x@mail.example.org now", "write to [email] now"),
        ("pay to DE89 3704 0044 0532 0130 00, please", "pay to [iban], please"),
        ("card 4111 1111 1111 1111 ends", "card [card] ends"),
        ("order 4111 1111 1111 1112 is no card", "order 4111 1111 1111 1112 is no card"),
        ("call +49 30 901820 or 0044 20 7946 0958", "call [phone] or [phone]"),
        ("in 2024, 12.5 % of 1,000,000", "in 2024, 12.5 % of 1,000,000"),
        ('{"to": "a@b.example"}', '{"to": "[email]"}'),
    ],
)
def test_built_in_patterns_replace_personal_data(text: str, kept: str) -> None:
    assert Redaction(BUILT_IN).text(text) == kept


def test_redaction_changes_texts_of_a_span_only() -> None:
    attributes = {"a@b.example": "x@y.example", "list": ["x@y.example", {"deep": "x@y.example"}], "n": 3}
    event = {"name": "x@y.example", "attributes": []}
    (span,) = parse_request(request([otlp_span(1, "x@y.example", attributes, events=[event])])).spans
    found = Redaction(("email",)).record(span)
    assert isinstance(found, Span)
    assert found.attributes == {"a@b.example": "[email]", "list": ["[email]", {"deep": "[email]"}], "n": 3}
    assert (found.name, found.events[0].name) == ("[email]", "[email]")
    assert (found.trace_id, found.span_id, found.start_ns) == (span.trace_id, span.span_id, span.start_ns)
    assert Redaction().record(span) is span


def test_unknown_pattern_and_non_text_result_are_rejected() -> None:
    with pytest.raises(UnknownName, match="email"):
        Redaction(("mail",))
    with pytest.raises(BadOption, match="must return a string"):
        Redaction(function=lambda _: None).text("x")  # type: ignore[arg-type,return-value]


def test_redaction_of_long_hostile_texts_is_fast() -> None:
    for hostile in (
        "1 " * 50_000,
        "a" * 100_000 + "@",
        "DE89 " * 20_000,
        "+1" * 50_000,
        "a@" + "b." * 50_000,
    ):
        Redaction(BUILT_IN).text(hostile)
