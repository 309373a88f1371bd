"""Replace what identifies people in a record of a trace, before it is kept.

The built-in patterns find what has a form of its own: addresses, telephone numbers, accounts, cards. Names have none; a
function of one's own can do more. Text is replaced wherever it stands: in names, values of attributes, events and
errors. Ids, times and the names of attributes stay, since they say what the rest means.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ragstone.errors import BadOption, UnknownName
from ragstone.traces.span import Record, record_from_json

TextFilter = Callable[[str], str]

_DIGITS = re.compile(r"\D")
_FEWEST_CARD, _MOST_CARD = 13, 19
_NINE = 9

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "email": re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"),
    "iban": re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
    "card": re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?!\.?\d)"),
    "phone": re.compile(r"(?<![\w.])(?:\+|00)\d{1,3}[ ./-]?(?:\(\d{1,5}\)|\d)(?:[ ./-]?\d){5,12}(?!\w)"),
}
BUILT_IN = tuple(_PATTERNS)
"""The built-in patterns, in the order in which they are tried."""

_TEXTS = ("name", "error", "attributes", "events", "resource", "log")


@dataclass(frozen=True, slots=True)
class Redaction:
    """What is replaced before a record is kept.

    Attributes:
        patterns: names of built-in patterns: `email`, `iban`, `card` (its check digit must be right) and `phone` (one
            that begins with `+` or `00`). Each match becomes the name in brackets, such as `[email]`.
        function: called with each text after the patterns; returns the text to keep.
    """

    patterns: tuple[str, ...] = ()
    function: TextFilter | None = None

    def __post_init__(self) -> None:
        """Check the names.

        Raises:
            UnknownName: there is no such pattern.
        """
        for name in self.patterns:
            if name not in _PATTERNS:
                raise UnknownName("pattern of redaction", name, _PATTERNS)

    def __bool__(self) -> bool:
        """Whether anything is replaced."""
        return bool(self.patterns or self.function)

    def text(self, text: str) -> str:
        """Return a text without what is to be replaced.

        Raises:
            BadOption: the function returned no text.
        """
        for name in BUILT_IN:
            if name in self.patterns:
                text = _PATTERNS[name].sub(lambda found, name=name: _replaced(found[0], name), text)
        if self.function is None:
            return text
        kept = cast("object", self.function(text))
        if not isinstance(kept, str):
            raise BadOption(f"The function that redacts returned {type(kept).__name__}: return a text.")
        return kept

    def record(self, record: Record) -> Record:
        """Return a span or log record without what is to be replaced."""
        if not self:
            return record
        values = record.to_json()
        return record_from_json(
            {name: self.value(item) if name in _TEXTS else item for name, item in values.items()}
        )

    def value(self, value: Any) -> Any:  # noqa: ANN401  (any JSON)
        """Return a value of JSON with each text in it redacted; names of properties stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Any]", value).items()
            return {name: self.value(item) for name, item in items}
        if isinstance(value, Sequence):
            return [self.value(item) for item in cast("Sequence[Any]", value)]
        return value


def _replaced(found: str, name: str) -> str:
    return found if name == "card" and not _is_card(found) else f"[{name}]"


def _is_card(text: str) -> bool:
    """Tell whether the last digit of a number fits the others (Luhn), as that of every card does."""
    digits = [int(digit) for digit in reversed(_DIGITS.sub("", text))]
    doubled = [2 * digit - (_NINE if 2 * digit > _NINE else 0) for digit in digits[1::2]]
    fits = (sum(digits[::2]) + sum(doubled)) % 10 == 0
    return _FEWEST_CARD <= len(digits) <= _MOST_CARD and fits and any(digits)
