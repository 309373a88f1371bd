"""Split a protobuf request into small ones before any message is built, and count the values in it.

Protobuf needs two bytes for a message that takes some hundred in memory. This module only reads tags and lengths, so a
request is refused, or handed to the decoder in parts, at no more memory than its own size. Source: "Encoding" in the
documentation of Protocol Buffers; field numbers from opentelemetry-proto 1.
"""

from collections.abc import Iterator, Mapping

_VARINT, _I64, _LEN, _I32 = 0, 1, 2, 5
_FIXED_SIZES = {_I64: 8, _I32: 4}
_MAX_VARINT_BYTES = 10
_MAX_DEPTH = 100  # most nested messages, as in protobuf's own decoders
_PART_SPANS, _PART_BYTES = 256, 1 << 20
_RESOURCE_ITEMS, _SCOPE_ITEMS, _ITEMS = 1, 2, 2
"""Field numbers from the request to its spans or log records; they are equal for traces and logs."""

Schema = Mapping[int, "Schema"]
"""Field numbers of the messages in a message, each with its own."""

_ANY_VALUE: dict[int, Schema] = {}
_ATTRIBUTE: dict[int, Schema] = {2: _ANY_VALUE}
_ANY_VALUE.update({5: {1: _ANY_VALUE}, 6: {1: _ATTRIBUTE}})
_SPAN: Schema = {9: _ATTRIBUTE, 11: {3: _ATTRIBUTE}, 13: {4: _ATTRIBUTE}, 15: {}}
_LOG: Schema = {5: _ANY_VALUE, 6: _ATTRIBUTE}
_REQUESTS: Mapping[str, Schema] = {
    signal: {1: {1: {1: _ATTRIBUTE, 3: {}}, 2: {1: {3: _ATTRIBUTE}, 2: item}}}
    for signal, item in (("traces", _SPAN), ("logs", _LOG))
}


class BadWire(ValueError):  # noqa: N818  (reads as what happened)
    """Bytes that are not protobuf's wire format."""


Field = tuple[int, int, int, int]
"""Number of a field with a length, and where its tag begins, its content begins, and it ends; others have number 0."""


def exceeds(body: bytes | bytearray, signal: str, most: int) -> bool:
    """Return whether a request has more than `most` fields in its messages; it is read no further than that.

    Raises:
        BadWire: it is not a request.
    """
    pending: list[tuple[int, int, Schema, int]] = [(0, len(body), _REQUESTS[signal], 0)]
    count = 0
    while pending:
        start, end, schema, depth = pending.pop()
        if depth > _MAX_DEPTH:
            raise BadWire(f"messages are nested more than {_MAX_DEPTH} deep")
        for number, _, inner_start, inner_end in _fields(body, start, end):
            count += 1
            if count > most:
                return True
            if inner_end > inner_start and number in schema:
                pending.append((inner_start, inner_end, schema[number], depth + 1))
    return False


def split_request(body: bytes | bytearray) -> Iterator[bytes]:
    """Yield requests of up to 256 spans or log records, or about a megabyte, with the same content as `body`.

    Raises:
        BadWire: it is not a request.
    """
    for number, _, start, end in _fields(body, 0, len(body)):
        if number != _RESOURCE_ITEMS:
            continue
        resource, scopes = _separate(body, start, end, _SCOPE_ITEMS)
        for _, _, scope_start, scope_end in scopes:
            for part in _scope_parts(body, scope_start, scope_end):
                yield _message(_RESOURCE_ITEMS, resource + _message(_SCOPE_ITEMS, part))


def _scope_parts(body: bytes | bytearray, start: int, end: int) -> Iterator[bytes]:
    scope, items = _separate(body, start, end, _ITEMS)
    part, count = bytearray(scope), 0
    for _, begin, _, item_end in items:
        part += body[begin:item_end]
        count += 1
        if count == _PART_SPANS or len(part) > _PART_BYTES:
            yield bytes(part)
            part, count = bytearray(scope), 0
    if count:
        yield bytes(part)


def _separate(body: bytes | bytearray, start: int, end: int, number: int) -> tuple[bytes, list[Field]]:
    """Return the fields of a message with a number, and all others as they are written."""
    fields = list(_fields(body, start, end))
    others = b"".join(bytes(body[begin:stop]) for found, begin, _, stop in fields if found != number)
    return others, [field for field in fields if field[0] == number]


def _fields(body: bytes | bytearray, start: int, end: int) -> Iterator[Field]:
    """Yield the fields between two places; those without a length have an empty content and the number 0."""
    position = start
    while position < end:
        begin = position
        tag, position = _varint(body, position, end)
        kind = tag & 7
        if kind == _LEN:
            length, start = _varint(body, position, end)
            position = start + length
            if position > end:
                raise BadWire("a field is longer than its message")
            yield tag >> 3, begin, start, position
            continue
        if kind == _VARINT:
            _, position = _varint(body, position, end)
        elif kind in _FIXED_SIZES:
            position += _FIXED_SIZES[kind]
        else:
            raise BadWire(f"a field has the unknown kind {kind}")
        if position > end:
            raise BadWire("a field is longer than its message")
        yield 0, begin, position, position


def _varint(body: bytes | bytearray, position: int, end: int) -> tuple[int, int]:
    if position < end and body[position] < 0x80:  # noqa: PLR2004  (the bit that says that more follows)
        return body[position], position + 1
    value = shift = 0
    for place in range(position, min(position + _MAX_VARINT_BYTES, end)):
        byte = body[place]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004
            return value, place + 1
        shift += 7
    raise BadWire("a number does not end")


def _message(number: int, content: bytes) -> bytes:
    length, size = bytearray(), len(content)
    while size > 0x7F:  # noqa: PLR2004
        length.append(size & 0x7F | 0x80)
        size >>= 7
    length.append(size)
    return bytes([number << 3 | _LEN]) + bytes(length) + content
