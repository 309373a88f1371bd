"""A judge with a cache: a prompt that was answered is not asked again, by this process or another.

Answers are stored under their *fingerprint*: a hash of provider, model, parameters, wording and schema, never of a
secret. A cached answer is parsed and checked like a new one, and counts no call. With `offline=True` no request is
sent: a recorded run is replayed with its recorded usage and cost, and a prompt without a recorded answer fails.
"""

import asyncio
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from ragstone.errors import BadOption, NotCached
from ragstone.judges.adapted import as_judge
from ragstone.judges.asking.stored_reply import read_stored_reply, reply_json
from ragstone.judges.base import Judge, JudgeLike, JudgeWrapper, Reply
from ragstone.judges.cache.answer_cache import AnswerCache
from ragstone.prompts import Answer, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

_MIN_POLL_SECONDS, _MAX_POLL_SECONDS = 0.02, 0.5


def default_path() -> Path:
    """Return the default file of the cache, in the user's cache folder."""
    return user_cache_path("ragstone") / "answers.sqlite3"


class CachedJudge(JudgeWrapper):
    """Wraps a judge and stores its answers in a file that any number of processes may share.

    Only a judge with `fingerprint` can be cached, such as `LLMJudge`: a method that returns equal text for two prompts
    only if they may share an answer, and None for a prompt whose answer is not to be stored.

    Examples:
        >>> judge = CachedJudge(LLMJudge(provider=OpenAI()), "answers.sqlite3")  # doctest: +SKIP

    Attributes:
        judge: the judge that is asked.
        offline: answer from the cache alone.
        path: the file.
    """

    def __init__(
        self,
        judge: JudgeLike,
        path: str | Path | None = None,
        *,
        offline: bool = False,
        max_bytes: int = 2**30,
    ) -> None:
        """Store the answers of `judge` at `path`.

        Args:
            judge: the judge to ask.
            path: the file; in the user's cache folder where None.
            offline: never ask the judge.
            max_bytes: about how large the file may grow; the least recently used answers are deleted first.

        Raises:
            BadOption: the judge has no `fingerprint`, or `max_bytes` leaves no room.
        """
        super().__init__(as_judge(judge))
        if not self.cacheable:
            raise BadOption(
                f"{self.name} cannot be cached: the cache cannot tell which prompts may share an answer. "
                "Give the judge a method fingerprint(prompt) that returns text."
            )
        if max_bytes < 1:
            raise BadOption(f"max_bytes={max_bytes!r} is too small: give the size of the file in bytes")
        self.offline = offline
        self.path = default_path() if path is None else Path(path)
        self._max_bytes = max_bytes
        self._answers = AnswerCache(self.path, max_bytes=max_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments; the file is opened anew in the other process."""
        options = {"offline": self.offline, "max_bytes": self._max_bytes}
        return partial(CachedJudge, **options), (self.judge, self.path.absolute())

    def wording(self, prompt: type[Prompt[Any]]) -> str:
        """Return the digest of the judge's wording of a prompt."""
        return self.judge.wording(prompt) or prompt.digest()

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return the answer in the cache, None where there is none."""
        fingerprint = self.fingerprint(prompt)
        return None if fingerprint is None else self._read_reply(_cache_key(fingerprint), prompt)

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer from the cache, or the judge's; see `Judge.ask`.

        While another process asks for the same answer, this one waits for it.

        Raises:
            NotCached: there is none in the cache, and `offline` forbids asking.
        """
        fingerprint = self.fingerprint(prompt)
        key = None if fingerprint is None else _cache_key(fingerprint)
        cached = None if key is None else self._read_reply(key, prompt)
        if cached is not None:
            return cached
        if self.offline:
            raise NotCached(
                f"{self.name} is offline, and its answer to this {type(prompt).__name__} is not in {self.path}: "
                "run once without offline, with the same cache, model, server and prompts, to record it."
            )
        if key is None:
            return await self.judge.ask(prompt)
        cached = await self._claim_or_read(key, prompt)
        if cached is not None:
            return cached
        try:
            reply = await self.judge.ask(prompt)
        except BaseException:
            self._answers.release(key)
            raise
        self._answers.write(key, reply_json(reply))
        return reply

    def keep(self, prompt: Prompt[A], reply: Reply[A]) -> None:
        """Store the reply under the prompt's own key."""
        fingerprint = self.fingerprint(prompt)
        if fingerprint is not None:
            self._answers.write(_cache_key(fingerprint), reply_json(reply))

    def in_batches(self) -> "CachedJudge":
        """Return the same cache in front of the judge asked in batches; answers keep their keys."""
        return CachedJudge(
            self.judge.in_batches(), self.path, offline=self.offline, max_bytes=self._max_bytes
        )

    def close(self) -> None:
        """Write the queued answers and close the file; it opens again when needed."""
        self._answers.close()

    def _read_reply(self, key: bytes, prompt: Prompt[A]) -> Reply[A] | None:
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

    async def _claim_or_read(self, key: bytes, prompt: Prompt[A]) -> Reply[A] | None:
        """Claim the key for this process, or return the answer that another process wrote meanwhile."""
        pause = _MIN_POLL_SECONDS
        while not await self._answers.claim(key):
            await asyncio.sleep(pause)
            cached = self._read_reply(key, prompt)
            if cached is not None:
                return cached
            pause = min(2 * pause, _MAX_POLL_SECONDS)
        cached = self._read_reply(key, prompt)  # written between the first look-up and the claim
        if cached is not None:
            self._answers.release(key)
        return cached


def with_cache(judge: JudgeLike, cache: bool | str | Path | None, *, offline: bool = False) -> Judge:  # noqa: FBT001  (as users write it)
    """Return `judge` with a cache in front of it.

    Args:
        judge: the judge; one that works offline anyway is returned as it is.
        cache: the file, True for the default one, None or False for none.
        offline: answer from the cache alone.

    Raises:
        BadOption: the judge cannot be cached, or cannot work offline.
    """
    if not offline and (cache is None or cache is False):
        return as_judge(judge)
    path = None if cache is None or isinstance(cache, bool) else Path(cache)
    return as_judge(judge).wrapped(lambda member: _cached(member, path, offline=offline))


def _cached(judge: Judge, path: Path | None, *, offline: bool) -> Judge:
    if judge.works_offline:
        return judge
    if isinstance(judge, CachedJudge):
        return CachedJudge(judge.judge, path or judge.path, offline=offline or judge.offline)
    return CachedJudge(judge, path, offline=offline)


def _cache_key(fingerprint: str) -> bytes:
    return blake2b(fingerprint.encode("utf-8", "surrogatepass"), digest_size=32).digest()
