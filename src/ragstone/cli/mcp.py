"""`ragstone mcp`: a server of the Model Context Protocol, for coding agents."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import click

from ragstone import store as stores
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._log import tell
from ragstone.cli._options import LOG_FORMAT, TRUST_PROJECT, StoreName
from ragstone.cli._receiver import read_address
from ragstone.cli._store import locate_store, open_existing_store
from ragstone.config import read_settings

_DEFAULT = "127.0.0.1:8602"


@subcommand("mcp", LOG_FORMAT, TRUST_PROJECT)
def command(
    *,
    address: Annotated[
        str | None, OptionSpec("--http", is_flag=False, flag_value=_DEFAULT, metavar="[ADDRESS:PORT]")
    ] = None,
    token: Annotated[str, OptionSpec(metavar="TOKEN")] = "",
    write: bool = False,
    folder: Annotated[
        Path, OptionSpec(metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
    ] = Path(),
    store: StoreName = None,
) -> None:
    """Serve runs to coding agents by the Model Context Protocol (MCP), until the client ends.

    Tools: runs, worst, case, compare, explain, metrics, estimate; with --write also run, which starts a run that was
    estimated. The settings agent_max_cases and agent_max_cost bound such a run. Texts of test cases are marked as data.

    Options:
        address: Serve streamable HTTP, with a token, instead of standard input and output. Default address:
            127.0.0.1:8602.
        token: The token that --http requires. Default: one is generated and printed.
        write: Allow clients to start runs. Without it they can only read.
        folder: Folder of the files that clients may read. Default: the current folder.

    Examples:
      ragstone mcp
      ragstone mcp --write --folder data
      ragstone mcp --http --store postgresql://me@db/runs
    """
    from ragstone import mcp as servers  # noqa: PLC0415  (the SDK is slow to import)

    settings, location = read_settings({}).settings, locate_store(store)
    options: dict[str, Any] = {
        "store": (lambda: stores.open_store(location)) if write else (lambda: open_existing_store(store)),
        "folder": folder,
        "write": write,
    }
    if address is None:
        servers.serve_stdio(settings, location, **options)
        return
    host, port = read_address(address)
    serve_http = servers.serve_http  # an extra that lacks is told before anything listens
    from ragstone.dashboard.security.credentials import credentials_for  # noqa: PLC0415

    credentials = credentials_for(host, token)

    def ready(port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        tell(f"ragstone mcp is at http://{name}:{port}/mcp (Ctrl-C ends it)")
        if not token:  # a given token is not written down: standard error may be kept, and read by others
            tell(f"Clients need the header Authorization: Bearer {credentials.token}")

    with suppress(KeyboardInterrupt):  # uvicorn has ended by then, and raises it again
        serve_http(settings, location, credentials, host=host, port=port, ready=ready, **options)
