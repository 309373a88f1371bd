"""The trace receiver that `serve` and `watch` start: its options, address and redaction."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ragstone.cli._command import OptionSpec
from ragstone.cli._log import tell
from ragstone.errors import BadOption
from ragstone.plugins import import_extra, load_named
from ragstone.traces.redaction import BUILT_IN, Redaction

if TYPE_CHECKING:
    from ragstone.dashboard.security.trusted_header import TrustedHeader

DEFAULT = "127.0.0.1:4318"
_MAX_PORT = 65_535


Otlp = Annotated[
    str | None,
    OptionSpec(
        is_flag=False,
        flag_value=DEFAULT,
        metavar="[ADDRESS:PORT]",
        help=f"Receive traces by OTLP over HTTP. Default address: {DEFAULT}.",
    ),
]
Redact = Annotated[
    str | None,
    OptionSpec(
        metavar="NAMES",
        help=f"Data to replace before anything is stored, separated by commas: {', '.join(BUILT_IN)}.",
    ),
]
RedactWith = Annotated[
    str | None,
    OptionSpec(
        metavar="MODULE:FUNCTION",
        help="Your function, which receives each text and returns the text to store.",
    ),
]


def read_redaction(names: str | None, function: str | None) -> Redaction:
    """Return the redaction that `--redact` and `--redact-with` select."""
    patterns = tuple(name.strip() for name in (names or "").split(",") if name.strip())
    if function is None:
        return Redaction(patterns)
    try:
        return Redaction(patterns, load_named("redaction", function))
    except (ModuleNotFoundError, AttributeError, ValueError) as error:
        raise BadOption(
            f"{function!r} is not a function: {error}. Write package.module:function of an importable module."
        ) from error


def read_address(address: str) -> tuple[str, int]:
    """Return host and port of `host:port`, `[host]:port` or `:port`."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > _MAX_PORT:
        raise BadOption(f"{address!r} is not an address: write host:port, such as {DEFAULT}.")
    return host.strip("[]") or "127.0.0.1", int(port)


@contextmanager
def receiving(
    store: bool | str | Path | None,  # noqa: FBT001  (as users write it)
    address: str,
    redaction: Redaction,
    token: str | None,
    trusted: "TrustedHeader | None" = None,
) -> Generator[None]:
    """Receive traces into a store until the end of the block."""
    for module in ("fastapi", "prometheus_client", "uvicorn"):
        import_extra("Receiving traces", "serve", module)
    from ragstone.dashboard.otlp.intake import Intake  # noqa: PLC0415  (the web server is slow to import)
    from ragstone.dashboard.otlp.server import Receiver  # noqa: PLC0415
    from ragstone.dashboard.security.credentials import credentials_for  # noqa: PLC0415
    from ragstone.store.queue.trace_queue import open_queue  # noqa: PLC0415

    host, port = read_address(address)
    credentials = credentials_for(host, token, trusted)
    receiver = Receiver(Intake(open_queue(store, redaction)), credentials, host=host, port=port).start()
    url = f"http://{f'[{host}]' if ':' in host else host}:{receiver.port}"
    tell(f"traces are received at {url}/v1/traces")
    if credentials.token is not None and not token:
        tell(f"Senders need the header Authorization: Bearer {credentials.token}")
    try:
        yield
    finally:
        receiver.stop()
