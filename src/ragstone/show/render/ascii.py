"""ASCII in place of the signs of a document, for a terminal whose encoding has none of them."""

_SIGNS = {
    **dict(
        zip("✓✗○⚠├┤●─┊┼·≥≤", ("+", "x", "o", "!", "|", "|", "o", "-", ":", "+", "|", ">=", "<="), strict=True)
    ),
    **dict(zip("▁▂▃▄▅▆▇█", "._-=+*#@", strict=True)),
    **dict(zip("▓▒░", "%=.", strict=True)),
    **dict(zip("“”…→\N{MULTIPLICATION SIGN}", ('"', '"', "...", "->", "x"), strict=True)),
    "\N{EN DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{NO-BREAK SPACE}": " ",
}
_TABLE = str.maketrans(_SIGNS)


def lacks_signs(encoding: str) -> bool:
    """Return whether an encoding cannot write the signs of a document."""
    try:
        "".join(_SIGNS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def to_ascii(text: str) -> str:
    """Return a text in ASCII: signs are replaced by similar ones, other characters by their code points."""
    return text.translate(_TABLE).encode("ascii", "backslashreplace").decode("ascii")
