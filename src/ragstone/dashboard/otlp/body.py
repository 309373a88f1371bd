"""Decompress and decode the body of an OTLP request, within size limits.

Protobuf needs `opentelemetry-proto`, the extra `otlp`; JSON needs no extra.
"""

import json
import zlib
from collections.abc import Callable
from typing import Any, cast

from ragstone.plugins import import_extra

PROTOBUF, JSON = "application/x-protobuf", "application/json"
MEGABYTE = 1_000_000
_GZIP_WINDOW_BITS = 16 + zlib.MAX_WBITS
_CHUNK_BYTES = 1 << 20
_SERVICES = {
    "traces": ("opentelemetry.proto.collector.trace.v1.trace_service_pb2", "ExportTraceService"),
    "logs": ("opentelemetry.proto.collector.logs.v1.logs_service_pb2", "ExportLogsService"),
}


class BadBody(Exception):  # noqa: N818  (reads as what happened)
    """A body that cannot be read.

    Attributes:
        status: the HTTP status of the response.
    """

    def __init__(self, status: int, message: str) -> None:
        """Set the message and the HTTP status of the response."""
        super().__init__(message)
        self.status = status


def decompress(body: bytes, encoding: str, most: int) -> bytes:
    """Return a body without its compression.

    Args:
        body: as it was sent.
        encoding: `Content-Encoding`: gzip, deflate, identity, or empty.
        most: limit on its decompressed bytes; decompression stops when it is exceeded.

    Raises:
        BadBody: it is too large, damaged, or compressed in another way.
    """
    name = encoding.strip().lower() or "identity"
    if name == "identity":
        return body
    if name not in ("gzip", "deflate"):
        raise BadBody(415, f"Content-Encoding {encoding[:40]!r} is not supported: send gzip or no encoding.")
    decompressor = zlib.decompressobj(_GZIP_WINDOW_BITS if name == "gzip" else zlib.MAX_WBITS)
    chunks: list[bytes] = []
    size, remaining = 0, body
    try:
        while remaining and not decompressor.eof:
            chunk = decompressor.decompress(remaining, _CHUNK_BYTES)
            remaining = decompressor.unconsumed_tail
            size += len(chunk)
            if size > most:
                raise BadBody(
                    413, f"The body is more than {most // MEGABYTE} MB when decompressed: send less."
                )
            chunks.append(chunk)
    except zlib.error as error:
        raise BadBody(400, f"The body is not {name}: {error}.") from error
    if not decompressor.eof:
        raise BadBody(400, f"The body ends in the middle of its {name} stream.")
    return b"".join(chunks)


def decode_body(body: bytes, content_type: str, signal: str) -> dict[str, Any]:
    """Return a request as the mapping that `parse_request` reads.

    Args:
        body: without its compression.
        content_type: `application/x-protobuf` or `application/json`.
        signal: `traces` or `logs`.

    Raises:
        BadBody: it is neither, or damaged.
        MissingExtra: it is protobuf, and the extra `otlp` is not installed.
    """
    return _from_json(body) if content_type == JSON else _from_protobuf(body, signal)


def _from_json(body: bytes) -> dict[str, Any]:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadBody(400, f"The body is not JSON: {' '.join(str(error).split())[:200]}.") from error
    if not isinstance(parsed, dict):
        raise BadBody(400, f"The body is a JSON {type(parsed).__name__}: an OTLP request is an object.")
    return cast("dict[str, Any]", parsed)


def _from_protobuf(body: bytes, signal: str) -> dict[str, Any]:
    message = _message(signal, "Request")
    to_dict = import_extra("OTLP in protobuf", "otlp", "google.protobuf.json_format").MessageToDict
    try:
        message.ParseFromString(body)
        return cast("dict[str, Any]", to_dict(message))
    except Exception as error:  # protobuf's two implementations raise errors of their own
        problem = " ".join(str(error).split())[:200]
        raise BadBody(400, f"The body is not an OTLP request in protobuf: {problem}.") from error


def encode_answer(content_type: str, signal: str, rejected: int, message: str) -> bytes:
    """Return the response to an accepted request, of which `rejected` records were left out.

    Args:
        content_type: that of the request.
        signal: `traces` or `logs`.
        rejected: records that were left out.
        message: the reason; if empty, the response reports no rejected records.
    """
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
