"""The user's application: a function that takes a question and returns an answer with the passages it is based on.

    answer(question) -> {"answer": "…", "contexts": ["…"]}
    answer(question, contexts=["…"]) -> the same, from these passages instead of retrieved ones

It may be sync (then it runs in a thread) or async. Its return value is read like a row of a dataset; a pair is read as
answer and passages, a string as an answer alone.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

import anyio
from anyio import to_thread

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset
from ragstone.errors import BadOption, RagstoneError
from ragstone.judges.cache.answer_cache import AnswerCache
from ragstone.judges.cached import default_path
from ragstone.plugins import load_named

_MAX_CACHE_BYTES = 2**30
_PAIR_LENGTH = 2


class ApplicationError(RagstoneError):
    """A call of the application failed, or returned nothing that can be judged."""


class Application:
    """A user's application that can be called.

    Attributes:
        name: `module:function`.
        called: how many calls were made.
        cached: how many answers came from the cache instead.
    """

    def __init__(
        self,
        application: str | Callable[..., Any],
        *,
        timeout: float = 60.0,
        cache: bool | str | Path | None = None,
        offline: bool = False,
    ) -> None:
        """Import the application; nothing is called yet.

        Args:
            application: `module:function`, or the function.
            timeout: seconds that a call may take.
            cache: store answers in this file, or with True in the user's cache folder. The key is the application's
                name, the question, the passages and the text of the function's module.
            offline: read answers only from the cache.

        Raises:
            BadOption: there is no such function, or it cannot be called with a question and `contexts`.
        """
        self._function = _import_function(application) if isinstance(application, str) else application
        self.name = application if isinstance(application, str) else _function_name(application)
        self._timeout = timeout
        self._offline = offline
        self._cache = _open_cache(cache, offline=offline)
        self._digest = _module_digest(self._function)
        self.called = self.cached = 0
        _check_signature(self.name, self._function)

    async def answer(self, question: str, contexts: Sequence[str] | None = None) -> TestCase:
        """Return the application's answer as a test case.

        Args:
            question: the question.
            contexts: passages from which to answer instead of retrieved ones; None to let it retrieve.

        Raises:
            ApplicationError: the call failed, took too long, or returned no answer or no passages.
        """
        key = self._cache_key(question, contexts)
        stored = None if self._cache is None else self._cache.read(key)
        if stored is not None:
            self.cached += 1
            return TestCase.model_validate_json(stored)
        if self._offline:
            raise ApplicationError("the answer is not in the cache, and offline forbids calls")
        self.called += 1
        case = _to_test_case(await self._call(question, contexts), question, contexts)
        if self._cache is not None:
            self._cache.write(key, case.model_dump_json(exclude_defaults=True, fallback=repr))
        return case

    def close(self) -> None:
        """Write pending answers to the cache, and close it."""
        if self._cache is not None:
            self._cache.close()

    async def _call(self, question: str, contexts: Sequence[str] | None) -> Any:  # noqa: ANN401  (what the user returns)
        options: dict[str, Any] = {} if contexts is None else {"contexts": list(contexts)}
        try:
            with anyio.fail_after(self._timeout):
                if inspect.iscoroutinefunction(self._function):
                    return await self._function(question, **options)
                call = partial(self._function, question, **options)
                returned = await to_thread.run_sync(call, abandon_on_cancel=True)
                return await returned if inspect.isawaitable(returned) else returned
        except TimeoutError as error:
            message = str(error) or f"no answer within {self._timeout:g} seconds"
            raise ApplicationError(message) from error
        except Exception as error:  # the user's code may raise anything
            raise ApplicationError(f"{type(error).__name__}: {error}") from error

    def _cache_key(self, question: str, contexts: Sequence[str] | None) -> bytes:
        parts = [
            "application",
            self.name,
            self._digest,
            question,
            None if contexts is None else list(contexts),
        ]
        return blake2b(json.dumps(parts).encode(), digest_size=32).digest()


def _import_function(path: str) -> Callable[..., Any]:
    if path.count(":") != 1 or not all(path.split(":")):
        raise BadOption(f"application {path!r}: write module:function, such as my_app:answer")
    try:
        function = load_named("application", path)
    except (ImportError, AttributeError) as error:
        raise BadOption(
            f"application {path!r}: {error}. Write module:function of an importable module"
        ) from error
    if not callable(function):
        raise BadOption(f"application {path!r} is not a function but {type(function).__name__}")
    return cast("Callable[..., Any]", function)


def _function_name(function: Callable[..., Any]) -> str:
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', type(function).__module__)}:{name}"


def _check_signature(name: str, function: Callable[..., Any]) -> None:
    try:
        signature = inspect.signature(function)
    except ValueError:  # a C function may have no signature
        return
    try:
        signature.bind("question", contexts=[])
        signature.bind("question")
    except TypeError as error:
        raise BadOption(
            f"application {name!r}{signature}: {error}. It must accept a question, and contexts=[…] with the "
            "passages to answer from: write def answer(question, contexts=None)"
        ) from None


def _open_cache(cache: bool | str | Path | None, *, offline: bool) -> AnswerCache | None:  # noqa: FBT001  (as users write it)
    if cache in (None, False) and not offline:
        return None
    path = Path(cache) if isinstance(cache, str | Path) else default_path()
    return AnswerCache(path, max_bytes=_MAX_CACHE_BYTES)


def _module_digest(function: Callable[..., Any]) -> str:
    """Return a digest of the source file of a function; empty without one."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
        return blake2b(Path(file or "").read_bytes(), digest_size=16).hexdigest()
    except (TypeError, OSError):
        return ""


def _to_test_case(returned: Any, question: str, contexts: Sequence[str] | None) -> TestCase:  # noqa: ANN401  (what the user returns)
    """Convert the return value of the application to a test case."""
    case = returned if isinstance(returned, TestCase) else _parse_returned(returned, question)
    if case.get("actual_output") is None:
        raise ApplicationError("it returned no answer")
    if contexts is None:
        if case.retrieval_context is None:
            raise ApplicationError('it returned no passages: return {"answer": "…", "contexts": ["…"]}')
        return case
    if case.retrieval_context is None:
        return case.model_copy(update={"retrieval_context": tuple(contexts)})
    if not _normalized(case.retrieval_context) & _normalized(contexts):
        raise ApplicationError("it answered from other passages than those given as contexts=")
    return case


def _parse_returned(returned: object, question: str) -> TestCase:
    if isinstance(returned, str):
        fields: dict[str, Any] = {"actual_output": returned}
    elif isinstance(returned, Mapping):
        fields = dict(cast("Mapping[str, Any]", returned))
    elif isinstance(returned, tuple) and len(cast("tuple[Any, ...]", returned)) == _PAIR_LENGTH:
        fields = dict(
            zip(("actual_output", "retrieval_context"), cast("tuple[Any, ...]", returned), strict=True)
        )
    else:
        kind = type(cast("object", returned)).__name__
        raise ApplicationError(
            f"it returned {kind}: return a mapping with answer and contexts, or a pair (answer, contexts)"
        )
    row = next(iter(read_dataset([{"input": question, **fields}])))
    if isinstance(row, BadRow):
        raise ApplicationError(f"its return value cannot be read: {row.problem}")
    return row


def _normalized(texts: Sequence[str]) -> set[str]:
    return {" ".join(text.split()).casefold() for text in texts}
