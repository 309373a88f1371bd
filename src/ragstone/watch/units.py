"""The test cases of claimed traces: one for each trace, session, or span of a given name."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.errors import describe
from ragstone.store.queue.claims import ClaimedUnit
from ragstone.traces.cases import UnreadableTrace, trace_cases
from ragstone.traces.options import NAMED, TraceOptions


@dataclass(frozen=True, slots=True)
class UnitCase:
    """A test case for a judge.

    Attributes:
        claim: the claim under which it is judged.
        unit: key of its scores: the claim's key, or for a span the ids of its trace and span.
        case: the test case.
        probability: probability with which it was drawn.
    """

    claim: ClaimedUnit
    unit: str
    case: TestCase
    probability: float = 1.0


def read_units(
    claimed: Sequence[ClaimedUnit], options: TraceOptions
) -> tuple[list[UnitCase], list[tuple[ClaimedUnit, str]]]:
    """Return the test cases of the claimed units, and the reason for each unit that gives none."""
    cases: list[UnitCase] = []
    unreadable: list[tuple[ClaimedUnit, str]] = []
    for claim in claimed:
        try:
            found = [one for one in trace_cases(claim.records, options) if _belongs_to(one, claim)]
        except Exception as error:  # noqa: BLE001  (one trace must not stop the others)
            unreadable.append((claim, describe(error)))
            continue
        readable = [one for one in found if isinstance(one, TestCase)]
        by_span = options.unit.startswith(NAMED)
        cases += [UnitCase(claim, one.id if by_span else claim.key, one) for one in readable]
        if not readable:
            unreadable.append((claim, _unreadable_reason(found, options)))
    return cases, unreadable


def _belongs_to(found: TestCase | UnreadableTrace, claim: ClaimedUnit) -> bool:
    """Return whether a test case belongs to a claim; an evaluation that came with it may link to another trace."""
    told = found.id if isinstance(found, TestCase) else found.place
    return bool(claim.session) or claim.trace_id in told


def _unreadable_reason(found: Sequence[TestCase | UnreadableTrace], options: TraceOptions) -> str:
    told = next((one for one in found if isinstance(one, UnreadableTrace)), None)
    if told is not None:
        return f"{told.problem} {told.instead}"
    name = options.unit.removeprefix(NAMED)
    return "no span follows a known convention" if name == options.unit else f"no span is named {name!r}"
