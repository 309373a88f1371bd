"""The words for a change of labels, the same on every surface."""

from ragstone.findings.numbers import p_value, percent
from ragstone.stats.label_change import LabelChange, ShareChange

_MINUS = "\N{MINUS SIGN}"
_MAX_MOVES = 4


def label_sentence(name: str, found: LabelChange) -> str:
    """Return `the labels of Outcome changed (refused rose from 5 % to 15 %)`, with each label that is known to have."""
    moves = [_move(share) for share in found.shares if share.verdict != "no change shown"]
    return f"the labels of {name} changed" + (f" ({', '.join(moves)})" if moves else "")


def _move(share: ShareChange) -> str:
    before, after = share_range(share.before), share_range(share.after)
    if " to " in before + after:
        sizes = sorted({f"{abs(100.0 * end):.1f}" for end in share.difference}, key=float)
        return f"{share.label} {share.verdict} by {' to '.join(sizes)} points"
    return f"{share.label} {share.verdict} from {before} to {after}"


def share_range(ends: tuple[float, float]) -> str:
    """Return a share in percent, or the range of it where labels are undecided."""
    low, high = map(percent, ends)
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


def points(share: float) -> str:
    """Return a difference of shares in percentage points, with its sign."""
    size = f"{abs(100.0 * share):.1f}"
    if float(size) == 0.0:
        return "0.0" if share == 0.0 else "above 0" if share > 0.0 else "below 0"
    return f"{_MINUS if share < 0.0 else '+'}{size}"


def label_test(found: LabelChange) -> str:
    """Return the most frequent moves, and the test of all labels together."""
    moves = [f"{was} \N{RIGHTWARDS ARROW} {now} {cases:,}" for was, now, cases in found.moves[:_MAX_MOVES]]
    rest = len(found.moves) - len(moves)
    listed = ", ".join([*moves, *([f"{rest} others"] if rest > 0 else [])])
    p = f"Stuart-Maxwell {p_value(found.adjusted_p)}"
    if found.tested > 1:
        p += f" (Holm, {found.tested} metrics with labels)"
    if found.verdict == "depends on the undecided":
        p += "; it depends on the undecided"
    return f"{listed}; {p}" if listed else p
