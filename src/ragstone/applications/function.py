"""An application in Python: `module:function`, `module:Class` whose instances have a method `answer`, or the object.

It may be sync, then each call runs in a thread of its own, or async.
"""

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Thread
from typing import Any, cast

from ragstone.applications.call import ApplicationCall, ApplicationObject
from ragstone.applications.spans import current_trace
from ragstone.engine.cancellation import run_cancellable
from ragstone.errors import ApplicationError, BadOption
from ragstone.plugins import load_named


class FunctionCaller:
    """Calls a Python function."""

    def __init__(
        self,
        application: str | Callable[..., Any] | ApplicationObject,
        *,
        with_contexts: bool = False,
        settings: Iterable[str] = (),
    ) -> None:
        """Import the function; nothing is called yet.

        Args:
            application: `module:function`, `module:Class`, or the object.
            with_contexts: whether it must accept `contexts=[…]`.
            settings: names of the settings that it must accept as keywords.

        Raises:
            BadOption: there is no such function, or it cannot be called this way.
        """
        found = _import(application) if isinstance(application, str) else application
        self.name = application if isinstance(application, str) else _name(found)
        self._function = _answering(self.name, found)
        self.source = _module_digest(self._function)
        try:
            signature = inspect.signature(self._function)
        except ValueError:  # a C function may have none
            signature = None
        parameters = signature.parameters if signature else dict[str, inspect.Parameter]()
        turns = parameters.get("turns")
        takes_any = any(item.kind is item.VAR_KEYWORD for item in parameters.values())
        self.takes_turns = turns is not None or takes_any
        self._requires_turns = turns is not None and turns.default is turns.empty
        keywords: dict[str, Any] = dict.fromkeys((*(("contexts",) if with_contexts else ()), *settings))
        given: dict[str, Any] = {"turns": []} if self._requires_turns else {}
        if signature is not None:
            _check_signature(self.name, signature, keywords, given)

    async def call(self, call: ApplicationCall) -> object:
        """Call the function with the question and its settings, and with `contexts` and `turns` where it takes them."""
        options: dict[str, Any] = dict(call.settings)
        if call.contexts is not None:
            options["contexts"] = list(call.contexts)
        if self._requires_turns or (call.turns and self.takes_turns):
            options["turns"] = call.messages()
        with current_trace(call.traceparent):
            if inspect.iscoroutinefunction(self._function):
                return await run_cancellable(self._function(call.input, **options))
            returned = await _in_thread(partial(self._function, call.input, **options))
            return await run_cancellable(_awaited(returned)) if inspect.isawaitable(returned) else returned


async def _awaited(value: Any) -> object:  # noqa: ANN401  (any awaitable)
    return await value


async def _in_thread(function: Callable[[], object]) -> object:
    """Return what a function returns in a thread of its own.

    A function that hangs delays neither the other calls nor the end of the process: its thread is a daemon.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[tuple[object, BaseException | None]] = loop.create_future()

    def settle(value: object, error: BaseException | None) -> None:
        if not outcome.done():
            outcome.set_result((value, error))

    def work() -> None:
        value, error = None, None
        try:
            value = context.run(function)
        except BaseException as raised:  # noqa: BLE001  (the user's code may raise anything)
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, error)

    context = copy_context()
    Thread(target=work, name="ragstone-application", daemon=True).start()
    value, error = await outcome
    if error is None:
        return value
    if isinstance(error, Exception):
        raise error
    raise ApplicationError(f"{type(error).__name__}: {error}") from error  # it must not end this process


def _import(path: str) -> Any:  # noqa: ANN401  (any object)
    try:
        return load_named("application", path)
    except (ImportError, AttributeError) as error:
        raise BadOption(
            f"application {path!r}: {error}. Write module:function of an importable module"
        ) from error


def _answering(name: str, found: Any) -> Callable[..., Any]:  # noqa: ANN401  (any object)
    """Return the function of an application: the object itself, or its method `answer`."""
    if inspect.isclass(found):
        try:
            found = found()
        except TypeError as error:
            raise BadOption(
                f"application {name!r}: {error}. Its __init__ must work without arguments"
            ) from None
    method = getattr(found, "answer", None)
    if not inspect.isroutine(found) and callable(method):
        return cast("Callable[..., Any]", method)
    if not callable(found):
        raise BadOption(f"application {name!r} is not a function but {type(found).__name__}")
    call = type(found).__call__  # inspect knows no coroutine function in an object with an async __call__
    return found if inspect.isroutine(found) else partial(call, found)


def _name(function: object) -> str:
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', type(function).__module__)}:{name}"


def _check_signature(
    name: str, signature: inspect.Signature, keywords: Mapping[str, Any], turns: Mapping[str, Any]
) -> None:
    """Check that a function can be called with a question alone, where no setting is given, and with all keywords."""
    try:
        if keywords.keys() <= {"contexts"}:
            signature.bind("question", **turns)
        signature.bind("question", **turns, **keywords)
    except TypeError as error:
        form = "".join(f", {keyword}=None" for keyword in keywords)
        what = ", and contexts=[…] with the passages to answer from" if "contexts" in keywords else ""
        raise BadOption(
            f"application {name!r}{signature}: {error}. It must accept a question{what}: write "
            f"def answer(question{form})"
        ) from None


def _module_digest(function: Callable[..., Any]) -> str:
    """Return a digest of the source file of a function; empty without one."""
    while isinstance(function, partial):
        function = function.func
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
        return blake2b(Path(file or "").read_bytes(), digest_size=16).hexdigest()
    except (TypeError, OSError):
        return ""
