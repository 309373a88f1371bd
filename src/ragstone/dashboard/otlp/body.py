"""Decompress and decode the body of an OTLP request, within size limits.

Protobuf needs `opentelemetry-proto`, the extra `otlp`; JSON needs no extra.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, cast

from ragstone.dashboard.otlp.wire import exceeds, split_request
from ragstone.plugins import import_extra

PROTOBUF, JSON = "application/x-protobuf", "application/json"
MEGABYTE = 1_000_000
_WINDOW_BITS = {"gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_PIECE_BYTES = 1 << 14
_MAX_MEMBERS = 1_000
_UNCOUNTED_BYTES = 1 << 16  # a protobuf request up to this size cannot have too many messages
_JSON_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|[,\[{]', re.DOTALL)
_QUOTE = ord('"')
_SERVICES = {
    "traces": ("opentelemetry.proto.collector.trace.v1.trace_service_pb2", "ExportTraceService"),
    "logs": ("opentelemetry.proto.collector.logs.v1.logs_service_pb2", "ExportLogsService"),
}


class BadBody(Exception):  # noqa: N818  (reads as what happened)
    """A body that cannot be read; `status` is the HTTP status of the response."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class BodyTooLarge(BadBody):
    """A body that is larger than allowed when decompressed."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"The body is more than {most // MEGABYTE} MB when decompressed: send less.")


def decompress(body: bytes | bytearray, encoding: str, most: int) -> bytes | bytearray:
    """Return a body without its `Content-Encoding`: gzip, deflate, identity, or empty.

    A gzip body may have several members; zeros may follow the last one. Decompression stops above `most` bytes.

    Raises:
        BodyTooLarge: it is too large.
        BadBody: it is damaged, or compressed in another way.
    """
    name = encoding.strip().lower() or "identity"
    if name == "identity":
        if len(body) > most:
            raise BodyTooLarge(most)
        return body
    if name not in _WINDOW_BITS:
        raise BadBody(415, f"Content-Encoding {encoding[:40]!r} is not supported: send gzip or no encoding.")
    try:
        return _decompressed(memoryview(body), name, most)
    except zlib.error as error:
        raise BadBody(400, f"The body is not {name}: {error}.") from error


def _decompressed(body: memoryview, name: str, most: int) -> bytearray:
    """Return the content of all members; the body is read in pieces, so that a short member costs little."""
    content, decompressor, members = bytearray(), zlib.decompressobj(_WINDOW_BITS[name]), 1
    for start in range(0, len(body), _PIECE_BYTES):
        remaining = bytes(body[start : start + _PIECE_BYTES])
        while remaining:
            if decompressor.eof:
                remaining = remaining.lstrip(b"\0") if name == "gzip" else remaining
                if not remaining:
                    break
                members += 1
                if name != "gzip" or members > _MAX_MEMBERS:
                    raise BadBody(400, f"The body has more than {members - 1} {name} streams.")
                decompressor = zlib.decompressobj(_WINDOW_BITS[name])
            content += decompressor.decompress(remaining, most - len(content) + 1)
            if len(content) > most:
                raise BodyTooLarge(most)
            remaining = decompressor.unused_data or decompressor.unconsumed_tail
    if not decompressor.eof:
        raise BadBody(400, f"The body ends in the middle of its {name} stream.")
    return content


def decode_body(
    body: bytes | bytearray, content_type: str, signal: str, most: int
) -> Iterator[dict[str, Any]]:
    """Yield the parts of a request of `traces` or `logs` as mappings that `iter_records` reads, one at a time.

    Its values are counted before any is built; there may be `most`.

    Raises:
        BadBody: it is neither protobuf nor JSON, or damaged, or has too many values.
        MissingExtra: it is protobuf, and the extra `otlp` is not installed.
    """
    if content_type == JSON:
        yield _from_json(body, most)
    else:
        yield from _from_protobuf(body, signal, most)


def _from_json(body: bytes | bytearray, most: int) -> dict[str, Any]:
    if _has_more_values(body, most):
        raise BadBody(413, _too_many(most))
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadBody(400, f"The body is not JSON: {' '.join(str(error).split())[:200]}.") from error
    if not isinstance(parsed, dict):
        raise BadBody(400, f"The body is a JSON {type(parsed).__name__}: an OTLP request is an object.")
    return cast("dict[str, Any]", parsed)


def _has_more_values(body: bytes | bytearray, most: int) -> bool:
    """Return whether JSON has more than `most` values: each but the first follows one of three characters.

    They are first counted with those inside of texts, which is faster.
    """
    if sum(map(body.count, (b",", b"[", b"{"))) <= most:
        return False
    found = (match[0][0] for match in _JSON_TOKEN.finditer(body))
    values = (character for character in found if character != _QUOTE)
    return next(islice(values, most, None), None) is not None


def _from_protobuf(body: bytes | bytearray, signal: str, most: int) -> Iterator[dict[str, Any]]:
    message = _message(signal, "Request")
    to_dict = import_extra("OTLP in protobuf", "otlp", "google.protobuf.json_format").MessageToDict
    try:
        if len(body) > _UNCOUNTED_BYTES and exceeds(body, signal, most):
            raise BadBody(413, _too_many(most))  # noqa: TRY301  (passed on by the next line but one)
        for part in split_request(body):
            message.ParseFromString(part)
            yield cast("dict[str, Any]", to_dict(message))
    except BadBody:
        raise
    except Exception as error:  # protobuf's two implementations raise errors of their own
        problem = " ".join(str(error).split())[:200]
        raise BadBody(400, f"The body is not an OTLP request in protobuf: {problem}.") from error


def _too_many(most: int) -> str:
    return f"The body has more than {most:,} values: send fewer spans in a request."


def encode_answer(content_type: str, signal: str, rejected: int, message: str) -> bytes:
    """Return the response to an accepted request; `message` says why `rejected` records were left out."""
    count_field = "rejectedSpans" if signal == "traces" else "rejectedLogRecords"
    partial: dict[str, Any] = {count_field: str(rejected), "errorMessage": message} if message else {}
    if content_type == JSON:
        return json.dumps({"partialSuccess": partial} if partial else {}).encode()
    if not partial:
        return b""
    response = _message(signal, "Response")
    field = "rejected_spans" if signal == "traces" else "rejected_log_records"
    setattr(response.partial_success, field, rejected)
    response.partial_success.error_message = message
    serialise = cast("Callable[[], bytes]", response.SerializeToString)
    return serialise()


def encode_failure(content_type: str, message: str) -> bytes:
    """Return a `google.rpc.Status` with a message, as the protocol requires for a failure."""
    if content_type == JSON:
        return json.dumps({"message": message}).encode()
    text = message.encode()[:2000]
    length = bytes([len(text) & 0x7F | 0x80, len(text) >> 7]) if len(text) > 0x7F else bytes([len(text)])  # noqa: PLR2004
    return b"\x12" + length + text


def _message(signal: str, kind: str) -> Any:  # noqa: ANN401  (a protobuf message)
    module, prefix = _SERVICES[signal]
    return getattr(import_extra("OTLP in protobuf", "otlp", module), f"{prefix}{kind}")()
