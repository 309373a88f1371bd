"""The symbols of a terminal report: Unicode where the encoding allows it, otherwise ASCII."""

from dataclasses import dataclass

_SAMPLE = "✓✗○▁█├●┤┊┼─…“”\N{EN DASH}·≥⚠"


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of symbols.

    Attributes:
        bars: bars of increasing height, from the lowest to a full one.
        left: left end of an interval.
        right: right end of an interval.
        dot: where the mean is.
        line: an interval's body, and rules.
        tick: where the threshold is.
        crossed: where the threshold lies within an interval.
        passed: mark of a result that passed, or of a supported statement.
        missed: mark of a score that missed its threshold, or of a contradicted statement.
        not_mentioned: mark of a statement that is not mentioned.
        undecided: mark of a result or a statement that is undecided.
        not_measured: mark of a result that was not measured.
        dash: between the ends of a range.
        separator: between figures on a line.
        nothing: placeholder for a missing number.
        at_least: greater or equal.
        at_most: less or equal.
        opening: opens a quotation.
        closing: closes it.
        ascii: whether texts must be ASCII too.
    """

    bars: str = "▁▂▃▄▅▆▇█"
    left: str = "├"
    right: str = "┤"
    dot: str = "●"
    line: str = "─"
    tick: str = "┊"
    crossed: str = "┼"
    passed: str = "✓"
    missed: str = "✗"
    not_mentioned: str = "○"
    undecided: str = "?"
    not_measured: str = "⚠"
    dash: str = "\N{EN DASH}"
    separator: str = "·"
    nothing: str = "\N{EN DASH}"
    at_least: str = "≥"
    at_most: str = "≤"
    opening: str = "“"
    closing: str = "”"
    ascii: bool = False


UNICODE_GLYPHS = Glyphs()
ASCII_GLYPHS = Glyphs(
    bars="._-=+*#@",
    left="|",
    right="|",
    dot="o",
    line="-",
    tick=":",
    crossed="+",
    passed="+",
    missed="x",
    not_mentioned="o",
    undecided="?",
    not_measured="!",
    dash="-",
    separator="|",
    nothing="-",
    at_least=">=",
    at_most="<=",
    opening='"',
    closing='"',
    ascii=True,
)


def glyphs_for(encoding: str) -> Glyphs:
    """Return the Unicode set if `encoding` can encode it, otherwise the ASCII set."""
    try:
        _SAMPLE.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII_GLYPHS
    return UNICODE_GLYPHS
