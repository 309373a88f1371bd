import base64
import json
from typing import Any

import pytest
from tests.testing.for_each import for_each
from tests.traces.otlp_requests import otlp_span, request

from ragstone.errors import BadOption, UnknownName
from ragstone.traces import parse_request
from ragstone.traces.redaction import BUILT_IN, Redaction
from ragstone.traces.span import Span


@for_each(
    "text, kept",
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
    assert found.attributes == {"[email]": "[email]", "list": ["[email]", {"deep": "[email]"}], "n": 3}
    assert (found.name, found.events[0].name) == ("[email]", "[email]")
    assert (found.trace_id, found.span_id, found.start_ns) == (span.trace_id, span.span_id, span.start_ns)
    assert Redaction().record(span) is span


EMAIL = "ada@example.org"
ESCAPED = "ada\\u0040example.org"


@for_each(
    "value",
    [
        f'"{ESCAPED}"',
        f'[{{"content": "I am {ESCAPED}"}}]',
        f'{{"{ESCAPED}": 1}}',
        json.dumps({"inner": json.dumps({"inner": f'{{"to": "{ESCAPED}"}}'})}),
        f'{{"to": "{ESCAPED}", "cut off',
        f"Input: {ESCAPED}",
        ESCAPED.replace("\\", "\\\\"),
        "ada\\x40example.org",
        "https://example.org/?to=ada%40example.org",
        "ada&#64;example.org",
        "ada&#x40;example.org",
        "ada&commat;example.org",
        ["\\u0061da\\u0040example\\u002Eorg"],
        {"deep": [{"deeper": f'["{ESCAPED}"]'}]},
        {EMAIL: 1},
    ],
    ids=str,
)
def test_addresses_are_found_in_every_form_that_senders_write(value: Any) -> None:
    kept = json.dumps(Redaction(("email",)).value(value))
    assert "[email]" in kept
    assert "example.org" not in kept.replace("https://example.org", "")


def test_base64_of_a_text_is_redacted() -> None:
    sent, kept = (base64.b64encode(text.encode()).decode() for text in (f"to: {EMAIL}", "to: [email]"))
    assert Redaction(("email",)).value([sent, "information12"]) == [kept, "information12"]


@for_each("number", [4111111111111111, 4111111111111111.0])
def test_card_numbers_that_are_numbers_are_replaced(number: float) -> None:
    kept = Redaction(("card",)).value({"n": number, "json": f"[{number!r}]"})
    assert kept == {"n": "[card]", "json": '["[card]"]'}


@for_each(
    "value",
    [
        1_700_000_000_000_000_000,
        1_700_000_000_006,
        12,
        0.5,
        True,
        None,
        float("inf"),
        10**400,
        "C:\\users\\u0041b",
    ],
    ids=lambda value: str(value)[:20],
)
def test_other_values_are_unchanged(value: Any) -> None:
    assert Redaction(BUILT_IN).value(value) is value


def test_times_of_events_are_kept() -> None:
    time = 4_111_111_111_111_111
    event = {"name": "x", "timeUnixNano": str(time), "attributes": []}
    (span,) = parse_request(request([otlp_span(1, "x", {}, events=[event])])).spans
    found = Redaction(("card",)).record(span)
    assert isinstance(found, Span)
    assert found.events[0].time_ns == time


def test_function_receives_decoded_texts() -> None:
    hidden = Redaction(function=lambda text: text.replace("Ada", "[name]"))
    assert hidden.text('{"by": "\\u0041da"}') == '{"by": "[name]"}'


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
