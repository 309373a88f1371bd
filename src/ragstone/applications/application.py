"""An application that can be asked: found by its name, called within a time-out, its answers read as test cases.

answer(question) -> {"answer": "…", "contexts": ["…"]}
answer(question, contexts=["…"]) -> the same, from these passages instead of retrieved ones
"""

import asyncio
import json
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

from ragstone.applications.call import ApplicationCall, ApplicationObject, Caller
from ragstone.applications.command import CommandCaller
from ragstone.applications.conversation import ANSWER_FIELDS, converse, scripted
from ragstone.applications.function import FunctionCaller
from ragstone.applications.http import HttpCaller
from ragstone.applications.reply import parse_paths, read_reply
from ragstone.applications.spans import SpanSource, traced
from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.errors import ApplicationError, BadOption, describe
from ragstone.judges.cache.answer_cache import AnswerCache
from ragstone.judges.cached import default_path
from ragstone.judges.limits import TokenBucket

_CALL_METADATA = (
    "latency_ms",
    "tokens",
    "cost",
    "model",
    "trace_id",
    APPLICATION_ERROR,
    "retrieval_context_details",
)
_MAX_CACHE_BYTES = 2**30
_PYTHON_NAME = re.compile(r"[\w.]+:[\w.]+")


class Application:
    """A user's application that can be asked.

    Attributes:
        name: `module:function`, the URL without its query, or the command.
        called: how many calls were made.
        cached: how many answers came from the cache instead.
        spans: where the spans of its calls arrive, with which `ask` then joins the answers; None to read none.
    """

    def __init__(
        self,
        application: str | Callable[..., Any] | ApplicationObject,
        *,
        timeout: float = 60.0,
        with_contexts: bool = False,
        paths: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
        rpm: float | None = None,
        cache: bool | str | Path | None = None,
        offline: bool = False,
    ) -> None:
        """Find the application; nothing is called yet.

        Args:
            application: `module:function`, `module:Class`, a URL, a command, or a Python function or object.
            timeout: seconds that a call may take.
            with_contexts: whether it will be asked to answer from given passages.
            paths: place of the question (`input`) and of the conversation (`turns`) in a URL's request, and of the
                fields in the reply, see `read_reply`.
            settings: keywords of the function, or `settings` in the JSON of a URL or a command.
            rpm: calls per minute; None for no limit.
            cache: store answers in this file, or with True in the user's cache folder. The key is the application's
                name, the question, the passages and the text of the function's module.
            offline: read answers only from the cache.

        Raises:
            BadOption: there is no such application, or it cannot be called this way.
        """
        self._paths, self._settings = parse_paths(paths or {}), dict(settings or {})
        self._caller = _caller(application, self._paths, self._settings, with_contexts=with_contexts)
        self.name = self._caller.name
        self.spans: SpanSource | None = None
        self._rate, self._turn = None if rpm is None else TokenBucket(rpm), asyncio.Lock()
        self._timeout, self._offline = timeout, offline
        path = Path(cache) if isinstance(cache, str | Path) else default_path()
        self._cache = AnswerCache(path, max_bytes=_MAX_CACHE_BYTES) if cache or offline else None
        self.called = self.cached = 0

    @property
    def in_process(self) -> bool:
        """Whether it is a function in this process."""
        return isinstance(self._caller, FunctionCaller)

    async def ask(self, case: TestCase) -> TestCase:
        """Return the test case with the application's answer in the place of any that it has.

        Of a conversation, the user's turns are sent one by one, see `converse`. The metadata gets `latency_ms`, and
        what the application returned of `tokens`, `cost`, `model` and `trace_id`. Where the application failed, there
        is no answer, and the metadata has `application_error`.

        Raises:
            BadOption: the test case is a conversation, and the application takes only questions.
        """
        kept = {name: value for name, value in case.metadata.items() if name not in _CALL_METADATA}
        script = scripted(case)
        if len(script) > 1 and not self._caller.takes_turns:
            raise BadOption(
                f"application {self.name!r} takes no turns, and test case {case.name or case.id!r} is a conversation "
                f"of {len(script)} questions: write def answer(question, turns), where turns is the conversation so far"
            )
        if script:
            return await converse(case.model_copy(update={"metadata": kept}), self._timed)
        found = await self._timed(ApplicationCall(case.input))
        answered = {name: getattr(found, name) for name in ANSWER_FIELDS}
        about = {name: found.metadata[name] for name in _CALL_METADATA if name in found.metadata}
        return case.model_copy(update={**answered, "metadata": {**found.metadata, **kept, **about}})

    async def _timed(self, call: ApplicationCall) -> TestCase:
        """Return the answer; where the application failed, none, with its error and the time until then."""
        await self._admit()
        call = replace(call, settings=self._settings)
        started = perf_counter()
        try:
            return await (traced(call, self._answer, self.spans) if self.spans else self._answer(call))
        except ApplicationError as error:
            latency = round((perf_counter() - started) * 1000, 3)
            return TestCase(input=call.input, metadata={"latency_ms": latency, APPLICATION_ERROR: str(error)})

    async def answer(self, question: str, contexts: Sequence[str] | None = None) -> TestCase:
        """Return the application's answer, with the passages it rests on, as a test case.

        Args:
            question: the question.
            contexts: passages from which to answer instead of retrieved ones; None to let it retrieve.

        Raises:
            ApplicationError: the call failed, took too long, or returned no answer or no passages.
        """
        given = None if contexts is None else tuple(contexts)
        answer = await self._answer(ApplicationCall(question, given, settings=self._settings))
        return _with_passages(answer, contexts)

    def close(self) -> None:
        """Write pending answers to the cache, and close it."""
        if self._cache is not None:
            self._cache.close()

    async def _answer(self, call: ApplicationCall) -> TestCase:
        key = self._cache_key(call)
        stored = None if self._cache is None else self._cache.read(key)
        if stored is not None:
            self.cached += 1
            return TestCase.model_validate_json(stored)
        if self._offline:
            raise ApplicationError("the answer is not in the cache, and offline forbids calls")
        self.called += 1
        started = perf_counter()
        returned = await self._call(call)
        latency = round((perf_counter() - started) * 1000, 3)
        try:
            case = read_reply(returned, call.input, self._paths)
        except ApplicationError:
            raise
        except Exception as error:  # what it returned may be an object of the user's code
            raise ApplicationError(f"its return value cannot be read: {describe(error)}") from error
        case = case.model_copy(update={"metadata": {**case.metadata, "latency_ms": latency}})
        if self._cache is not None:
            self._cache.write(key, case.model_dump_json(exclude_defaults=True, fallback=repr))
        return case

    async def _admit(self) -> None:
        """Wait until the rate allows another call; first come, first served. It is no part of the latency."""
        if self._rate is None:
            return
        async with self._turn:
            await asyncio.sleep(self._rate.wait(1, monotonic()))
            self._rate.spend(1, monotonic())

    async def _call(self, call: ApplicationCall) -> object:
        deadline = asyncio.timeout(self._timeout)
        try:
            async with deadline:
                return await self._caller.call(call)
        except ApplicationError:
            raise
        except TimeoutError as error:
            ours = deadline.expired()
            message = f"no answer within {self._timeout:g} s" if ours else describe(error)
            raise ApplicationError(message) from error
        except Exception as error:  # the user's code may raise anything
            raise ApplicationError(describe(error)) from error

    def _cache_key(self, call: ApplicationCall) -> bytes:
        contexts = None if call.contexts is None else list(call.contexts)
        parts: list[object] = ["application", self.name, self._caller.source, call.input, contexts]
        if call.turns:
            parts.append([dict(turn) for turn in call.turns])
        if call.settings:
            parts.append({"settings": dict(call.settings)})
        return blake2b(json.dumps(parts).encode(), digest_size=32).digest()


def _caller(
    application: str | Callable[..., Any] | ApplicationObject,
    paths: Mapping[str, str],
    settings: Mapping[str, Any],
    *,
    with_contexts: bool,
) -> Caller:
    """Return what calls an application."""
    if not isinstance(application, str) or _PYTHON_NAME.fullmatch(application):
        return FunctionCaller(application, with_contexts=with_contexts, settings=settings)
    if application.startswith(("http://", "https://")):
        return HttpCaller(application, paths)
    words = shlex.split(application) if application.count("'") % 2 == application.count('"') % 2 == 0 else []
    if words and shutil.which(words[0]):
        return CommandCaller(application)
    raise BadOption(
        f"application {application!r}: write module:function, such as my_app:answer, a URL that begins with http:// or "
        f"https://, or a command; there is no program {words[0] if words else application!r}"
    )


def _with_passages(case: TestCase, contexts: Sequence[str] | None) -> TestCase:
    """Return the answer with its passages; those given to the application must be among them."""
    if contexts is None:
        if case.retrieval_context is None:
            raise ApplicationError('it returned no passages: return {"answer": "…", "contexts": ["…"]}')
        return case
    if case.retrieval_context is None:
        return case.model_copy(update={"retrieval_context": tuple(contexts)})
    if not _normalized(case.retrieval_context) & _normalized(contexts):
        raise ApplicationError("it answered from other passages than those given as contexts=")
    return case


def _normalized(texts: Sequence[str]) -> set[str]:
    return {" ".join(text.split()).casefold() for text in texts}
