"""Families of texts that grow: each repeats what has made text code slow before, here or elsewhere."""

from collections.abc import Callable


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda size: (piece * (size // len(piece) + 1))[:size]


FAMILIES: dict[str, Callable[[int], str]] = {
    "stops, then a letter": lambda size: "." * size + "x",
    "stops and quotes": lambda size: _repeated('."')(size) + "x",
    "blanks between two words": lambda size: "The word" + " " * size + "is here.",
    "blanks, then a semicolon": lambda size: "The word was" + " " * size + "; it is here.",
    "tabs and line ends": lambda size: "a" + _repeated("\t\n")(size) + "b",
    "one digit": _repeated("7"),
    "numbers": _repeated("12 "),
    "bounded numbers": _repeated("more than 12 days, at most 3 to 4 years "),
    "grouped digits": lambda size: "1" + _repeated(",111")(size),
    "decimals": _repeated("1.5."),
    "one word": _repeated("word "),
    "one letter": _repeated("a"),
    "clauses without a stop": _repeated("she walked home and she talked "),
    "joints that open nothing": _repeated("the cat and the dog and "),
    "semicolons": _repeated("; "),
    "names": _repeated("Ann Lee and Bo Ray "),
    "many names": lambda size: " ".join(f"Ann{n}x Lee{n}y said" for n in range(size // 18)),
    "many words": lambda size: " ".join(f"w{n:x}q" for n in range(size // 6)),
    "negations": _repeated("not never no "),
    "opening brackets": _repeated("([{<"),
    "quotes": _repeated("\"'“"),
    "apostrophes": _repeated("a'"),
    "dashes": _repeated("-"),
    "list signs": _repeated("- \n"),
    "fences": _repeated("```\n"),
    "backticks": _repeated("`"),
    "marked letters": _repeated("e\u0301\u0327"),
    "letters read wrongly": _repeated("\u00c3\u00a1"),
    "ideographs": _repeated("\u4e2d\u3002"),
    "abbreviations": _repeated("e.g. Mr. U.S. "),
    "short sentences": _repeated("It is so. "),
}
