from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.errors import AccessRefused, ProviderError, TimedOut
from ragstone.providers.http.failures import (
    AttemptFailure,
    FailureKind,
    clean,
    failure_from_response,
    parse_retry_after,
)

KEY = "sk-abcDEF123456789"


@for_each(
    "body, words",
    [
        (
            b'{"error": {"message": "No such model.", "type": "t", "param": null, "code": null}}',
            "No such model.",
        ),
        (b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}', "Overloaded"),
        (b'{"error": "model \'x\' not found"}', "model 'x' not found"),
        (b'{"detail": "Not Found"}', "Not Found"),
        (b'{"object": "error", "message": "bad", "code": 400}', "bad"),
        (b'[{"error": {"code": 429, "message": "Quota."}}]', "Quota."),
        (b"<html><style>p{}</style><h1>502 Bad Gateway</h1></html>", "502 Bad Gateway"),
        (b"upstream \x1b[31mtimed\x1b[0m out\r\n", "upstream timed out"),
        (b"", ""),
        (b"[[[[", "[[[["),
        (b'"just a string"', '"just a string"'),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_error_message_is_read_from_every_body_shape(body: bytes, words: str) -> None:
    assert failure_from_response("here", 400, {}, body).words == words


def test_the_message_names_place_status_and_words() -> None:
    failure = failure_from_response(
        "openai: m at http://x", 400, {}, b'{"error": {"message": "Too long.", "param": "user"}}'
    )
    assert failure.message == "openai: m at http://x answered 400: Too long."
    assert failure.parameter == "user"


@for_each("status", [408, 429, 500, 502, 503, 504, 529])
def test_transient_statuses_are_retried(status: int) -> None:
    assert failure_from_response("here", status, {}, b"").again


@for_each("status", [301, 307, 400, 401, 403, 404, 409, 413, 422, 501])
def test_permanent_statuses_are_not_retried(status: int) -> None:
    assert not failure_from_response("here", status, {}, b"").again


@for_each(
    "status, kind", [(429, FailureKind.LIMITED), (529, FailureKind.LIMITED), (503, FailureKind.ANSWERED)]
)
def test_rate_limit_statuses_have_kind_limited(status: int, kind: FailureKind) -> None:
    assert failure_from_response("here", status, {}, b"").kind is kind


@for_each("place", ["code", "type"])
def test_insufficient_quota_is_not_retried(place: str) -> None:
    body = b'{"error": {"message": "You exceeded your current quota", "%s": "insufficient_quota"}}'
    assert not failure_from_response("here", 429, {}, body % place.encode()).again


@for_each("status", [401, 403])
def test_refused_key_becomes_access_refused(status: int) -> None:
    error = failure_from_response("here", status, {}, b"No.").error()
    assert isinstance(error, AccessRefused)
    assert error.status == status
    assert "key" in str(error)


def test_late_failure_becomes_timed_out() -> None:
    assert isinstance(AttemptFailure(FailureKind.LATE, "late").error(), TimedOut)


def test_error_carries_status_and_retry_after() -> None:
    error = failure_from_response("here", 429, {"Retry-After": "7"}, b"").error()
    assert isinstance(error, ProviderError)
    assert (error.status, error.retry_after) == (429, 7.0)


@for_each(
    "said",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Bearer {KEY} is unknown",
        f"key=\x1b[1m{KEY[:9]}\x1b[0m{KEY[9:]} is unknown",
        f"{'x' * 295} {KEY}",
        "Authorization: Bearer another-token-1234",
        "the key sk-proj-Another_Key-99 is unknown",
    ],
)
def test_no_key_is_shown_even_if_the_server_repeats_it(said: str) -> None:
    shown = failure_from_response("here", 401, {}, said.encode(), (KEY,)).message
    assert "***" in shown or "x" * 200 in shown
    for part in (KEY, KEY[:8], "another-token", "Another_Key"):
        assert part not in shown


def test_redirection_message_names_location_and_base_url() -> None:
    failure = failure_from_response("here", 308, {"Location": "https://elsewhere/v1"}, b"")
    assert "https://elsewhere/v1" in failure.message
    assert "base URL" in failure.message


@given(st.text(max_size=2000))
def test_clean_words_are_one_short_printable_line(text: str) -> None:
    line = clean(text)
    assert len(line) <= 300
    assert "\x1b" not in line
    assert not any(sign in line for sign in "\r\n\t\x00\u202e\u200b\u2028")
    line.encode()


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@for_each(
    "headers, pause",
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": "20", "retry-after-ms": "150"}, 0.15),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=9), usegmt=True)}, 9.0),
        ({"Retry-After": format_datetime(NOW - timedelta(seconds=9), usegmt=True)}, 0.0),
        ({"Retry-After": "Thu, 01 Jan 2026 00:00:05 -0000"}, 5.0),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e9"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
    ],
)
def test_retry_after_is_parsed_in_every_form(headers: dict[str, str], pause: float | None) -> None:
    assert parse_retry_after(headers, NOW) == pause


def test_retry_after_date_is_relative_to_the_date_header() -> None:
    theirs = datetime(2020, 5, 5, tzinfo=UTC)
    headers = {
        "Date": format_datetime(theirs, usegmt=True),
        "Retry-After": format_datetime(theirs + timedelta(seconds=4), usegmt=True),
    }
    assert parse_retry_after(headers) == 4.0
