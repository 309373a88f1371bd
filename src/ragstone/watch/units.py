"""The test cases of claimed traces: one for each trace, session, or span of a given name."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.errors import describe
from ragstone.store.queue.claims import ClaimedUnit
from ragstone.store.queue.settlement import JudgedUnit
from ragstone.traces.cases import UnreadableTrace, trace_cases
from ragstone.traces.options import NAMED, TraceOptions


@dataclass(frozen=True, slots=True)
class UnreadableUnit:
    """A unit without a test case: reading it failed, so that it is set aside, or there is nothing to judge in it."""

    claim: ClaimedUnit
    reason: str
    is_error: bool = False


def read_units(
    claimed: Sequence[ClaimedUnit], options: TraceOptions
) -> tuple[list[JudgedUnit], list[UnreadableUnit]]:
    """Return the claimed units with a test case, still without results, and the reason for each that has none."""
    cases: list[JudgedUnit] = []
    unreadable: list[UnreadableUnit] = []
    for claim in claimed:
        try:
            items = [item for item in trace_cases(claim.records, options) if _belongs_to(item, claim)]
        except Exception as error:  # noqa: BLE001  (one trace must not stop the others)
            unreadable.append(UnreadableUnit(claim, describe(error), is_error=True))
            continue
        readable = [item for item in items if isinstance(item, TestCase)]
        by_span = options.unit.startswith(NAMED)
        cases += [JudgedUnit(claim, item.id if by_span else claim.key, item) for item in readable]
        if not readable:
            unreadable.append(UnreadableUnit(claim, _unreadable_reason(items, options)))
    return cases, unreadable


def _belongs_to(item: TestCase | UnreadableTrace, claim: ClaimedUnit) -> bool:
    """Return whether a test case belongs to a claim; an evaluation that came with it may link to another trace."""
    trace = item.id if isinstance(item, TestCase) else item.place
    return bool(claim.session) or claim.trace_id in trace


def _unreadable_reason(items: Sequence[TestCase | UnreadableTrace], options: TraceOptions) -> str:
    unreadable = next((item for item in items if isinstance(item, UnreadableTrace)), None)
    if unreadable is not None:
        return f"{unreadable.problem} {unreadable.instead}"
    name = options.unit.removeprefix(NAMED)
    return "no span follows a known convention" if name == options.unit else f"no span is named {name!r}"
