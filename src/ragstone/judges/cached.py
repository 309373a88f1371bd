"""A judge that remembers: what was answered once is not asked again, by this process or another.

Answers are kept by their *fingerprint*: a hash over provider, model, parameters, wording and schema, never over a
secret. An answer from the cache is read and checked like a new one, and counts no call. With `offline=True` nothing is
asked at all: a recorded run is replayed, usage and cost as recorded, and a prompt that was not recorded fails.
"""

import asyncio
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

from platformdirs import user_cache_path

from ragstone.errors import BadOption, NotCached
from ragstone.judges.asking.stored_reply import StoredReply, read_stored_reply
from ragstone.judges.base import Judge, Reply
from ragstone.judges.cache.answer_cache import AnswerCache
from ragstone.judges.limits import Limits, limits_of
from ragstone.prompts import Answer, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

_FIRST_POLL, _LONGEST_POLL = 0.02, 0.5


def default_path() -> Path:
    """Return where answers are kept unless told otherwise: in the user's cache folder."""
    return user_cache_path("ragstone") / "answers.sqlite3"


class CachedJudge:
    """Wraps a judge and keeps its answers in a file that any number of processes may share.

    Only a judge that can tell the `fingerprint` of a prompt is cached: a method that returns text in which two prompts
    agree only where their answers may be exchanged, or None for a prompt whose answer is not kept. `LLMJudge` has it.

    Examples:
        >>> judge = CachedJudge(LLMJudge(provider=OpenAI()), "answers.sqlite3")  # doctest: +SKIP

    Attributes:
        judge: the judge that is asked.
        offline: answer from the cache alone.
        path: the file.
    """

    def __init__(
        self, judge: Judge, path: str | Path | None = None, *, offline: bool = False, max_bytes: int = 2**30
    ) -> None:
        """Keep the answers of `judge` at `path`.

        Args:
            judge: the judge to ask.
            path: the file; in the user's cache folder where None.
            offline: never ask the judge.
            max_bytes: about how large the file may grow; what was not used for longest goes first.

        Raises:
            BadOption: the judge has no `fingerprint`, or there is to be no room at all.
        """
        if not callable(getattr(judge, "fingerprint", None)):
            raise BadOption(
                f"{judge.name} cannot be cached: it does not tell when two prompts may share an answer. "
                "Give the judge a method fingerprint(prompt) that returns text."
            )
        if max_bytes < 1:
            raise BadOption(f"max_bytes={max_bytes!r} leaves no room: write the size of the file in bytes")
        self.judge = judge
        self.offline = offline
        self.path = default_path() if path is None else Path(path)
        self._max_bytes = max_bytes
        self._answers = AnswerCache(self.path, max_bytes=max_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as what it was made of."""
        return _make, (self.judge, self.path.absolute(), self.offline, self._max_bytes)

    @property
    def name(self) -> str:
        """The judge's own name."""
        return self.judge.name

    @property
    def limits(self) -> Limits:
        """The judge's own limits: answers from the cache do not count."""
        return limits_of(self.judge)

    def wording(self, prompt: type[Prompt[Any]]) -> str:
        """Return the digest of the words in which the judge puts a prompt."""
        own = getattr(self.judge, "wording", None)
        return own(prompt) if own else prompt.digest()

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return the judge's own fingerprint of `prompt`."""
        return cast("Any", self.judge).fingerprint(prompt)

    def price(self, usage: Usage) -> float | None:
        """Return what `usage` costs by the judge's own prices."""
        own = getattr(self.judge, "price", None)
        return own(usage) if own else None

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return the answer in the cache, None where there is none; never waits for anybody."""
        digest = self.fingerprint(prompt)
        return None if digest is None else self._find(_key(digest), prompt)

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer from the cache, or the judge's; see `Judge.ask`.

        Raises:
            NotCached: there is none in the cache, and nothing may be asked.
        """
        digest = self.fingerprint(prompt)
        if digest is None:
            return await self._ask_uncached(prompt)
        key = _key(digest)
        found = self._find(key, prompt)
        if found is not None:
            return found
        if self.offline:
            raise self._not_recorded(prompt)
        return await self._ask_with_claim(key, prompt)

    def around(self, judge: Judge) -> "CachedJudge":
        """Return the same cache in front of another judge."""
        return CachedJudge(judge, self.path, offline=self.offline, max_bytes=self._max_bytes)

    def close(self) -> None:
        """Write what is left and close the file; it opens again when needed."""
        self._answers.close()

    def _find(self, key: bytes, prompt: Prompt[A]) -> Reply[A] | None:
        text = self._answers.read(key)
        if text is None:
            return None
        reply = read_stored_reply(text, prompt)
        if reply is None:
            self._answers.drop(key)
            return None
        if self.offline:
            return reply
        return Reply(reply.answer, Usage(), cost=0.0, response=reply.response, recorded=True)

    async def _ask_with_claim(self, key: bytes, prompt: Prompt[A]) -> Reply[A]:
        pause = _FIRST_POLL
        while not await self._answers.claim(key):
            await asyncio.sleep(pause)
            found = self._find(key, prompt)
            if found is not None:
                return found
            pause = min(2 * pause, _LONGEST_POLL)
        found = self._find(key, prompt)  # answered between our look and our claim
        if found is not None:
            self._answers.release(key)
            return found
        try:
            reply = await self.judge.ask(prompt)
        except BaseException:
            self._answers.release(key)
            raise
        self._answers.write(key, StoredReply.of(reply).model_dump_json())
        return reply

    async def _ask_uncached(self, prompt: Prompt[A]) -> Reply[A]:
        if self.offline:
            raise self._not_recorded(prompt)
        return await self.judge.ask(prompt)

    def _not_recorded(self, prompt: Prompt[Any]) -> NotCached:
        return NotCached(
            f"{self.name} is offline, and its answer to this {type(prompt).__name__} is not in {self.path}: "
            "run once without offline, with the same cache, model, server and prompts, to record it."
        )


def with_cache(judge: Judge, cache: bool | str | Path | None, *, offline: bool = False) -> Judge:  # noqa: FBT001  (as users write it)
    """Return `judge` with a cache in front of it.

    Args:
        judge: the judge; one that works on this machine alone, without a fingerprint, is returned as it is.
        cache: the file, True for the one in the user's cache folder, None or False for none.
        offline: answer from the cache alone.

    Raises:
        BadOption: the judge cannot be cached, or cannot work offline.
    """
    wanted = offline or (cache is not None and cache is not False)
    if not wanted or getattr(judge, "works_offline", False):
        return judge
    path = None if cache is None or isinstance(cache, bool) else Path(cache)
    if isinstance(judge, CachedJudge):
        return CachedJudge(judge.judge, path or judge.path, offline=offline or judge.offline)
    return CachedJudge(judge, path, offline=offline)


def _make(judge: Judge, path: Path, offline: bool, max_bytes: int) -> CachedJudge:  # noqa: FBT001  (for pickle alone)
    return CachedJudge(judge, path, offline=offline, max_bytes=max_bytes)


def _key(fingerprint: str) -> bytes:
    return blake2b(fingerprint.encode("utf-8", "surrogatepass"), digest_size=32).digest()
