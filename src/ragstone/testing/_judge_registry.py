"""The judges of a test session: one for each spec, and those that tests create themselves."""

from typing import NamedTuple

from ragstone.arguments import configured_judge
from ragstone.config import Settings
from ragstone.errors import BadOption
from ragstone.judges import CachedJudge, Judge, JudgeLike, ScriptedJudge, get_judge
from ragstone.judges.cached import with_cache


class ResolvedJudge(NamedTuple):
    """A judge, and whether it may be asked ahead of time for later tests.

    Attributes:
        judge: the judge.
        shareable: whether other tests ask this very judge too, and the order of its answers does not matter.
    """

    judge: Judge
    shareable: bool


class JudgeRegistry:
    """Finds the judge for a test.

    A judge made from a spec is shared by all tests. A judge that a test creates may belong to that test alone, so it is
    not shared until a second test uses the same one, or an equal one. A scripted judge returns its answers in turn and
    is never shared.
    """

    def __init__(self, settings: Settings) -> None:
        """Take the default judge, named judges and the cache from `settings`."""
        self._settings = settings
        self._by_spec: dict[str, Judge] = {}
        self._test_judges: list[tuple[Judge, Judge, object]] = []

    @property
    def default(self) -> Judge:
        """The judge of tests that name none."""
        return self.resolve(None, None).judge

    def resolve(self, wanted: str | JudgeLike | None, test: object) -> ResolvedJudge:
        """Return the judge for a test.

        Raises:
            UsageError: there is no such judge.
        """
        wanted = self._settings.judge if wanted is None else wanted
        if isinstance(wanted, str):
            if wanted not in self._by_spec:
                self._by_spec[wanted] = self._cached(configured_judge(wanted, self._settings))
            return ResolvedJudge(self._by_spec[wanted], shareable=True)
        judge = get_judge(wanted)
        if judge in self._by_spec.values():
            return ResolvedJudge(judge, shareable=True)
        if isinstance(judge, ScriptedJudge):
            return ResolvedJudge(judge, shareable=False)
        return self._test_judge(judge, test)

    def _test_judge(self, judge: Judge, test: object) -> ResolvedJudge:
        for registered, resolved, owner in self._test_judges:
            if registered is judge or registered == judge:
                return ResolvedJudge(resolved, shareable=owner is not test)
        resolved = self._cached(judge)
        self._test_judges.append((judge, resolved, test))
        return ResolvedJudge(resolved, shareable=False)

    def _cached(self, judge: Judge) -> Judge:
        return with_cache(judge, self._settings.cache, offline=self._settings.offline)


def without_cache(judge: Judge) -> Judge:
    """Return the judge without its cache: repeats need new answers, not the recorded one.

    Raises:
        BadOption: the judge is offline, so there is only one answer.
    """
    if not isinstance(judge, CachedJudge):
        return judge
    if judge.offline:
        raise BadOption(
            "repeats needs new answers, but offline has only one recorded answer: leave out repeats or offline"
        )
    return judge.judge
