"""Redaction of personal data in records of traces, before they are stored.

The built-in patterns find data with a fixed format: e-mail addresses, telephone numbers, accounts, cards. Names have no
fixed format; a custom function can redact them. Text is replaced in span names, attribute values, events and errors.
Ids, times and attribute names are kept, since they give the rest its meaning.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ragstone.errors import BadOption, UnknownName
from ragstone.traces.span import Record, record_from_json

TextFilter = Callable[[str], str]

_NON_DIGIT = re.compile(r"\D")
_MIN_CARD_DIGITS, _MAX_CARD_DIGITS = 13, 19
_NINE = 9

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "email": re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"),
    "iban": re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
    "card": re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?!\.?\d)"),
    "phone": re.compile(r"(?<![\w.])(?:\+|00)\d{1,3}[ ./-]?(?:\(\d{1,5}\)|\d)(?:[ ./-]?\d){5,12}(?!\w)"),
}
BUILT_IN = tuple(_PATTERNS)
"""Names of the built-in patterns, in the order in which they are applied."""

_TEXT_FIELDS = ("name", "error", "attributes", "events", "resource", "log")


@dataclass(frozen=True, slots=True)
class Redaction:
    """Patterns and a function that redact a record before it is stored.

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
                raise UnknownName("redaction pattern", name, _PATTERNS)

    def __bool__(self) -> bool:
        """Whether anything is replaced."""
        return bool(self.patterns or self.function)

    def text(self, text: str) -> str:
        """Return a text with all matches replaced.

        Raises:
            BadOption: the function returned no text.
        """
        for name in BUILT_IN:
            if name in self.patterns:
                text = _PATTERNS[name].sub(lambda match, name=name: _replaced(match[0], name), text)
        if self.function is None:
            return text
        kept = cast("object", self.function(text))
        if not isinstance(kept, str):
            raise BadOption(
                f"The redaction function returned {type(kept).__name__}: it must return a string."
            )
        return kept

    def record(self, record: Record) -> Record:
        """Return a redacted span or log record."""
        if not self:
            return record
        values = record.to_json()
        return record_from_json(
            {name: self.value(item) if name in _TEXT_FIELDS else item for name, item in values.items()}
        )

    def value(self, value: Any) -> Any:  # noqa: ANN401  (any JSON)
        """Return a JSON value with each text in it redacted; property names are kept."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Any]", value).items()
            return {name: self.value(item) for name, item in items}
        if isinstance(value, Sequence):
            return [self.value(item) for item in cast("Sequence[Any]", value)]
        return value


def _replaced(matched: str, name: str) -> str:
    return matched if name == "card" and not _is_card(matched) else f"[{name}]"


def _is_card(text: str) -> bool:
    """Return whether a number has 13 to 19 digits and a correct check digit (Luhn), as every card number does."""
    digits = [int(digit) for digit in reversed(_NON_DIGIT.sub("", text))]
    doubled = [2 * digit - (_NINE if 2 * digit > _NINE else 0) for digit in digits[1::2]]
    fits = (sum(digits[::2]) + sum(doubled)) % 10 == 0
    return _MIN_CARD_DIGITS <= len(digits) <= _MAX_CARD_DIGITS and fits and any(digits)
