"""The score of a metric on a test case: a number in [0, 1], the range in which it may lie, its label, its parts.

    value = the score over the decided verdicts
    low, high = the least and the greatest score that the undecided verdicts allow

A judge that cannot tell says so (`undecided`); its verdict counts neither for nor against. Without undecided verdicts
low, value and high are equal. An idk that may be a contradiction (`contradiction_unknown`) is undecided between the two
where a metric counts them differently.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ragstone.verdict import Verdict, VerdictValue

P = ParamSpec("P")
M = TypeVar("M")

Bounds = tuple[float, float]
"""The least and the greatest possible score."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score before it is compared with a threshold.

    Attributes:
        value: in [0, 1], over the decided verdicts; None where nothing was decided, or where there is a label alone. If
            low and high are equal, it is that number, whatever the undecided verdicts are.
        reason: the reason for the score, composed from the verdicts' own reasons.
        metadata: all intermediate values.
        findings: the lines that a judge needs to explain the score in prose.
        low: the score if the undecided verdicts lower it as far as they can; None for `value`, or for 0 without one.
        high: the score if they raise it as far as they can; None for `value`, or for 1 without one.
        label: the category of the test case, one of the metric's `categories`; None where it is undecided, or where the
            metric has none.
    """

    value: float | None
    reason: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    findings: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        """Decide a score that the undecided verdicts cannot change."""
        if self.low is not None and self.low == self.high:
            object.__setattr__(self, "value", self.low)

    @property
    def bounds(self) -> Bounds:
        """The least and the greatest score that the verdicts allow."""
        low, high = (0.0, 1.0) if self.value is None else (self.value, self.value)
        return low if self.low is None else self.low, high if self.high is None else self.high


def undecided_score(reason: str, metadata: dict[str, Any] | None = None) -> Score:
    """Return the score of a test case about which nothing was decided: any score is possible."""
    return Score(None, reason, metadata or {})


def bounded(
    *, together: tuple[int, ...] = (), extremes: Callable[[Sequence[Verdict]], Bounds] | None = None
) -> Callable[[Callable[Concatenate[M, P], Score]], Callable[Concatenate[M, P], Score]]:
    """Decorate a metric's `score` so that undecided verdicts widen its bounds instead of counting for or against.

    The method itself needs to know yes, no and idk alone. With undecided verdicts its value and reason are those of the
    decided ones, and its bounds the scores with all undecided verdicts as yes and as no: the method must be monotone in
    each list of verdicts, or give its own `extremes`.

    Args:
        together: positions of arguments that are one list in two columns: a place that is undecided in one of them is
            left out of both.
        extremes: returns the bounds of a score that is not monotone, from its first list of verdicts.
    """

    def decorate(score: Callable[Concatenate[M, P], Score]) -> Callable[Concatenate[M, P], Score]:
        @wraps(score)
        def with_bounds(metric: M, /, *given_args: P.args, **kwargs: P.kwargs) -> Score:
            plain = cast("Callable[..., Score]", score)
            args = _with_open_contradictions(lambda *given: plain(metric, *given, **kwargs), given_args)
            undecided = [verdict for given in args for verdict in _verdicts(given) if not verdict.is_decided]
            if not undecided:
                return plain(metric, *args, **kwargs)
            total = sum(len(_verdicts(given)) for given in args)

            def rescored(change: Callable[[Sequence[Any]], list[Verdict]]) -> Score:
                changed = [change(_verdicts(given)) if _verdicts(given) else given for given in args]
                return plain(metric, *changed, **kwargs)

            if extremes is None:
                ends = [
                    rescored(lambda given, word=word: _as_word(given, word)).bounds for word in _EXTREME_WORDS
                ]
                low, high = min(end[0] for end in ends), max(end[1] for end in ends)
            else:
                low, high = extremes(next(_verdicts(given) for given in args if _verdicts(given)))
            whole = rescored(list)
            note = _note(undecided, total)
            kept = _decided_columns(args, together)
            if any(_verdicts(given) and not left for given, left in zip(args, kept, strict=True)):
                return replace(whole, value=None, reason=note, low=low, high=high)
            decided = plain(metric, *kept, **kwargs)
            return replace(
                decided,
                reason=f"{decided.reason} {note}",
                metadata=_with_all_verdicts(decided.metadata, whole.metadata),
                findings=whole.findings,
                low=low,
                high=high,
            )

        return with_bounds

    return decorate


_EXTREME_WORDS: tuple[VerdictValue, ...] = ("yes", "no")


def _verdicts(given: object) -> Sequence[Verdict]:
    """Return an argument if it is a list of verdicts, else an empty one."""
    if isinstance(given, list | tuple):
        items = cast("Sequence[object]", given)
        if items and isinstance(items[0], Verdict):
            return cast("Sequence[Verdict]", items)
    return ()


def _with_open_contradictions(score: Callable[..., Score], args: tuple[object, ...]) -> tuple[object, ...]:
    """Return the arguments with each idk that may be a contradiction as undecided, if that changes the score."""
    if not any(map(_may_contradict, (verdict for given in args for verdict in _verdicts(given)))):
        return args

    def changed(word: VerdictValue) -> tuple[object, ...]:
        return tuple(
            [replace(item, verdict=word) if _may_contradict(item) else item for item in _verdicts(given)]
            or given
            for given in args
        )

    return args if score(*args).value == score(*changed("no")).value else changed("undecided")


def _may_contradict(verdict: Verdict) -> bool:
    return verdict.verdict == "idk" and bool(verdict.contradiction_unknown)


def _as_word(verdicts: Sequence[Verdict], word: VerdictValue) -> list[Verdict]:
    return [
        verdict
        if verdict.is_decided
        else replace(verdict, verdict="idk" if verdict.contradiction_unknown and word == "yes" else word)
        for verdict in verdicts
    ]


def _decided_columns(args: Sequence[object], together: tuple[int, ...]) -> list[object]:
    """Return the arguments without undecided verdicts."""
    dropped = {
        place
        for position in together
        for place, verdict in enumerate(_verdicts(args[position]))
        if not verdict.is_decided
    }
    kept: list[object] = []
    for position, given in enumerate(args):
        verdicts = _verdicts(given)
        skip = dropped if position in together else frozenset[int]()
        decided = [
            verdict for place, verdict in enumerate(verdicts) if verdict.is_decided and place not in skip
        ]
        kept.append(decided if verdicts else given)
    return kept


def _with_all_verdicts(decided: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata: its lists name all verdicts, its figures rest on the decided ones."""
    return {name: value if isinstance(value, list) else decided.get(name) for name, value in whole.items()}


def _note(undecided: Sequence[Verdict], total: int) -> str:
    reasons = list(dict.fromkeys(verdict.reason for verdict in undecided if verdict.reason))
    why = f": {'; '.join(reasons[:_MAX_REASONS])}" if reasons else ""
    return f"{len(undecided)} of {total} verdicts are undecided{why}."


_MAX_REASONS = 2
