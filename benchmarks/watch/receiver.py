"""Memory and time of the receiver at requests of 63 MB: `python -m benchmarks.watch.receiver`.

Each request is compressed with gzip and sent to a fresh `ragstone serve --otlp`. Printed are its size, the status of
the answer, the processor time and the memory that it took beyond that of the process before.
"""

import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.watch.load import body_of
from benchmarks.watch.processes import receiving

_SIZE = 63_000_000
_JSON, _PROTOBUF = "application/json", "application/x-protobuf"


def spans() -> bytes:
    """Valid spans of one trace, each with a text of 20 kB."""
    document = json.loads(body_of(1))
    scope = document["resourceSpans"][0]["scopeSpans"][0]
    span = scope["spans"][0]
    text = {"key": "text", "value": {"stringValue": "It is so. " * 2_000}}
    span["attributes"].append(text)
    scope["spans"] = [{**span, "spanId": f"{number:016x}"} for number in range(1, _SIZE // 22_000)]
    return json.dumps(document).encode()


def small_spans() -> bytes:
    """Valid spans of 210 bytes each: more values than are accepted."""
    return _spans(_SIZE // 210)


def most_spans() -> bytes:
    """As many valid spans as are accepted, of 400 bytes each."""
    return _spans(_SIZE // 410, "n" * 200)


def _spans(count: int, name: str = "n") -> bytes:
    document = json.loads(body_of(1))
    scope = document["resourceSpans"][0]["scopeSpans"][0]
    span = {**scope["spans"][0], "attributes": [], "name": name}
    scope["spans"] = [{**span, "spanId": f"{number:016x}"} for number in range(1, count)]
    return json.dumps(document).encode()


def objects() -> bytes:
    """Empty objects in place of spans."""
    return b'{"resourceSpans":[{"scopeSpans":[{"spans":[' + b"{}," * (_SIZE // 3) + b"{}]}]}]}"


def brackets() -> bytes:
    """Nested lists."""
    return b'{"a":' + b"[" * _SIZE


def zeros() -> bytes:
    """Nothing but zeros, as protobuf."""
    return bytes(_SIZE)


def empty_messages() -> bytes:
    """Empty spans in protobuf."""
    content = b"\x12\x00" * (_SIZE // 2)
    for number in (2, 1):
        content = bytes([number << 3 | 2]) + _varint(len(content)) + content
    return content


def one_text() -> bytes:
    """A text of 63 MB in one attribute."""
    document = json.loads(body_of(1))
    attributes = document["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"]
    attributes[0]["value"]["stringValue"] = "x" * _SIZE
    return json.dumps(document).encode()


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


_BODIES: dict[str, tuple[Callable[[], bytes], str]] = {
    "spans with texts of 20 kB": (spans, _JSON),
    "spans of 210 bytes": (small_spans, _JSON),
    "spans of 410 bytes": (most_spans, _JSON),
    "one text": (one_text, _JSON),
    "empty objects": (objects, _JSON),
    "nested lists": (brackets, _JSON),
    "zeros, as protobuf": (zeros, _PROTOBUF),
    "empty spans in protobuf": (empty_messages, _PROTOBUF),
}


def main() -> None:
    """Send each body, and print its row."""
    print(f"{'request of 63 MB':28} {'gzip':>8} {'status':>6} {'CPU':>6} {'memory':>8}")
    for name, (build, kind) in _BODIES.items():
        body = gzip.compress(build(), 1)
        with (
            tempfile.TemporaryDirectory() as folder,
            receiving(Path(folder), "serve", "--port", "0", "--store", f"{folder}/runs.sqlite3") as process,
        ):
            before = process.peak_megabytes(), process.cpu_seconds()
            status = process.post(body, {"content-type": kind, "content-encoding": "gzip"}, timeout=600)
            memory, seconds = process.peak_megabytes() - before[0], process.cpu_seconds() - before[1]
            print(
                f"{name:28} {len(body) / 1000:5,.0f} kB {status:6} {seconds:4.1f} s {memory:5.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
