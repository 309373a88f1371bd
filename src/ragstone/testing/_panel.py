"""The judges of a session of tests: one for each spec, and those that the tests bring along."""

from typing import NamedTuple

from ragstone.judges import Judge, ScriptedJudge, get_judge


class Seat(NamedTuple):
    """A judge, and whether it may be asked ahead for tests to come.

    Attributes:
        judge: the judge.
        lasting: whether other tests ask this very judge too, and the order of its answers does not matter.
    """

    judge: Judge
    lasting: bool


class Panel:
    """Finds the judge for a test.

    A judge made from a spec serves all tests. One that a test brings along may have been made for this test alone, so
    it is asked for nobody else until a second test brings the same one, or an equal one. A scripted judge gives its
    answers in turn and is never asked ahead.
    """

    def __init__(self, default: str | Judge | None = None) -> None:
        """Give `default` to tests that name none."""
        self._default = default
        self._by_spec: dict[str | None, Judge] = {}
        self._guests: list[tuple[Judge, object]] = []

    @property
    def default(self) -> Judge:
        """The judge of the tests that name none."""
        return self.seat(None, None).judge

    def seat(self, wanted: str | Judge | None, test: object) -> Seat:
        """Return the judge that `test` asks for.

        Raises:
            UsageError: there is no such judge.
        """
        wanted = self._default if wanted is None else wanted
        if wanted is None or isinstance(wanted, str):
            if wanted not in self._by_spec:
                self._by_spec[wanted] = get_judge(wanted)
            return Seat(self._by_spec[wanted], lasting=True)
        judge = get_judge(wanted)
        if judge in self._by_spec.values():
            return Seat(judge, lasting=True)
        return Seat(judge, lasting=False) if isinstance(judge, ScriptedJudge) else self._guest(judge, test)

    def _guest(self, judge: Judge, test: object) -> Seat:
        for known, first in self._guests:
            if known is judge or known == judge:
                return Seat(known, lasting=first is not test)
        self._guests.append((judge, test))
        return Seat(judge, lasting=False)
