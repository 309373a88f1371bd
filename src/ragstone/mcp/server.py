"""The MCP server: the tools with their schemas, over standard input and output or over HTTP."""

import inspect
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from io import FileIO
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Annotated, Any, cast

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from ragstone import __version__
from ragstone.config import Settings
from ragstone.dashboard.services.run_manager import RunManager
from ragstone.errors import RagstoneError
from ragstone.mcp.estimates import Estimates, Folder
from ragstone.mcp.texts import MARK, MarkedText, ToolAnswer, as_text
from ragstone.mcp.tools import Tools
from ragstone.store import Store

READ_ONLY = ("runs", "worst", "case", "compare", "explain", "metrics", "estimate")
"""Tools that change nothing."""

_INSTRUCTIONS = f"""ragstone evaluates RAG and LLM systems. Find a run with `runs`; ask `compare` whether it got better,
`worst` and `case` where it fails, `explain` why. To measure: `estimate`, show the user the cost, then `run`.
Report a figure with its interval and n. Below ten cases, or where verdicts are undecided, say so.
{MARK}"""


def create_server(
    settings: Settings,
    run_manager: RunManager,
    *,
    store: Callable[[], Store],
    folder: Path,
    write: bool = False,
) -> MCPServer:
    """Return the server.

    It opens the store by `store` when a tool needs it, until that succeeds; reads files below `folder`; and starts runs
    only with `write`.

    Raises:
        BadOption: there is no such folder.
    """
    files = Folder.at(folder)
    tools = Tools(cache(store), files, Estimates(settings, files, run_manager), write=write)
    server = MCPServer("ragstone", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING")
    for name in (*READ_ONLY, "run"):
        reads = name in READ_ONLY
        hints = ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=not reads)
        method = getattr(tools, name)
        server.add_tool(_as_tool(method), name=name, description=inspect.getdoc(method), annotations=hints)
    return server


@contextmanager
def running(location: bool | str | Path | None) -> Generator[RunManager]:  # noqa: FBT001  (as users write it)
    """Yield what starts runs in the store at `location`; at the end, stop them: they can be resumed."""
    run_manager = RunManager(location)
    try:
        yield run_manager
    finally:
        run_manager.close()


def serve_stdio(settings: Settings, location: bool | str | Path | None, **options: Any) -> None:  # noqa: ANN401, FBT001  (those of `create_server`)
    """Serve a client over standard input and output, until it closes them or Ctrl-C."""
    with running(location) as run_manager:
        server = create_server(settings, run_manager, **options)
        with _ending_on_interrupt():
            server.run("stdio")


def _as_tool(method: Callable[..., ToolAnswer]) -> Callable[..., CallToolResult]:
    """Return a tool that answers with text and with structured content, and whose errors stand behind a bar."""
    signature = inspect.signature(method, eval_str=True)

    @wraps(method)
    def tool(**arguments: Any) -> CallToolResult:  # noqa: ANN401  (those of the method)
        try:
            answer = method(**arguments)
        except RagstoneError as error:
            refused = f"ragstone could not do this:\n{MarkedText.of(str(error))}"
            return CallToolResult(content=[TextContent(type="text", text=refused)], is_error=True)
        return CallToolResult(
            content=[TextContent(type="text", text=as_text(answer))],
            structured_content=answer.model_dump(mode="json"),
        )

    returned = Annotated[CallToolResult, signature.return_annotation]
    cast("Any", tool).__signature__ = signature.replace(return_annotation=returned)
    tool.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()} | {
        "return": returned
    }
    return tool


@contextmanager
def _ending_on_interrupt() -> Generator[None]:
    """Until the end of the block, Ctrl-C ends standard input, as if the client had closed it.

    A thread that reads a pipe cannot be interrupted otherwise: standard input becomes a pipe, to which another thread
    copies what the client sends.
    """
    client, (reading, writing) = os.dup(0), os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    pipe = FileIO(writing, "w")

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        pipe.close()

    before = signal.signal(signal.SIGINT, end)
    Thread(target=_copy, args=(client, pipe), name="ragstone-mcp-input", daemon=True).start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        pipe.close()


def _copy(client: int, pipe: FileIO) -> None:
    with suppress(OSError, ValueError):  # the pipe is closed
        while data := os.read(client, 1 << 16):
            while data:
                data = data[pipe.write(data) :]
    pipe.close()
