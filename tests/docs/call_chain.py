"""Record which of ragstone's functions are on the way from `ragstone run` to the socket, over tasks and threads."""

import asyncio
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Self

import ragstone

SOURCE = Path(ragstone.__file__).parent


def name_of(code: CodeType) -> str | None:
    """Return `module:function` of a function of ragstone's, None for any other."""
    path = Path(code.co_filename)
    if not path.is_relative_to(SOURCE):
        return None
    module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    return f"{module}:{code.co_qualname}"


class ChainRecorder:
    """Notes the chain of callers at the first HTTP request.

    A task's first frame continues the chain of whoever created the task; the event loop's thread continues the chain of
    the main thread, which waits for it.
    """

    def __init__(self) -> None:
        self.chain: list[str] = []
        self._parents: dict[FrameType, list[CodeType]] = {}
        self._main = threading.main_thread().ident or 0
        self._create_task = asyncio.BaseEventLoop.create_task

    def __enter__(self) -> Self:
        recorder, create_task = self, self._create_task

        def recording(loop: Any, coro: Any, **options: Any) -> Any:
            recorder._parents[coro.cr_frame] = recorder._codes(sys._getframe(1))
            return create_task(loop, coro, **options)

        asyncio.BaseEventLoop.create_task = recording  # type: ignore[method-assign]
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)
        asyncio.BaseEventLoop.create_task = self._create_task  # type: ignore[method-assign]

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        del argument
        if event != "call" or self.chain or frame.f_code.co_name != "_request":
            return
        if frame.f_globals.get("__name__") == "aiohttp.client":
            main = sys._current_frames()[self._main]
            codes = self._codes(main) + self._codes(frame)
            self.chain = [name for code in codes if (name := name_of(code))]

    def _codes(self, frame: FrameType) -> list[CodeType]:
        """Return the functions from the outermost to `frame`, the chain of the task's creator first."""
        codes: list[CodeType] = []
        current: FrameType | None = frame
        while current is not None:
            codes.append(current.f_code)
            parent = self._parents.get(current)
            if parent is not None:
                return parent + codes[::-1]
            current = current.f_back
        return codes[::-1]
