"""Redaction of personal data in records of traces, before they are stored.

The built-in patterns find data with a fixed format: e-mail addresses, telephone numbers, accounts, cards, keys. Names
have no fixed format; a custom function can redact them. Text is replaced in span names, attributes, events and errors.
Ids and times are kept, since they give the rest its meaning.

Senders write the same text in several forms, so a text is also searched in its decoded form: JSON is decoded, at any
depth, and other texts are searched without the escapes of JSON, URLs and HTML, and as base64. Numbers are searched as
texts. Names of attributes are searched by the patterns, but not given to the function.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from ragstone.errors import BadOption, UnknownName
from ragstone.traces.otlp import read_text
from ragstone.traces.span import Record, record_from_json

TextFilter = Callable[[str], str]

_NON_DIGIT = re.compile(r"\D")
_MIN_CARD_DIGITS, _MAX_CARD_DIGITS = 13, 19
_NINE = 9

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "email": re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"),
    "iban": re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
    "card": re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?!\.?\d)"),
    "secret": re.compile(
        r"(?<![\w-])(?:(?:sk|pk|rk)[-_](?:[A-Za-z]{2,8}[-_]){0,2}[A-Za-z0-9_-]{16,200}|gh[pousr]_[A-Za-z0-9]{36,200}"
        r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|xox[abposr]-[A-Za-z0-9-]{10,200}"
        r"|eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000})(?![\w-])"
        r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"
    ),
    "phone": re.compile(r"(?<![\w.])(?:\+|00)\d{1,3}[ ./-]?(?:\(\d{1,5}\)|\d)(?:[ ./-]?\d){5,12}(?!\w)"),
}
BUILT_IN = tuple(_PATTERNS)  # names of the built-in patterns, in the order in which they are applied
_TEXT_FIELDS = ("name", "error", "attributes", "resource", "scope", "body")
_MAX_DEPTH = 8  # most levels of JSON texts within JSON texts that are decoded
_MAX_CARD = 10**19
_CARD_NUMBER = re.compile(r"[2-6]\d{12,18}")
"""Numbers that may be of cards. Many of those that begin with 1 are times in milliseconds or nanoseconds."""

_MIN_BASE64 = 12
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_PLAIN = re.compile(r"[A-Za-z0-9@.+_%() /-]")
_ESCAPE = re.compile(
    r"\\+(?:u00|x)(?P<hexadecimal>[2-7][0-9A-Fa-f])|%(?P<percent>[2-7][0-9A-Fa-f])"
    r"|&\#x0{0,4}(?P<entity>[2-7][0-9A-Fa-f]);|&\#0{0,4}(?P<decimal>[0-9]{2,3});|&commat;"
)
"""The escapes of JSON and programming languages, of URLs and of HTML."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """Patterns and a function that redact a record before it is stored.

    Attributes:
        patterns: names of built-in patterns: `email`, `iban`, `card` (its check digit must be right), `secret` (keys of
            common services, JSON web tokens, private keys) and `phone` (one that begins with `+` or `00`). Each match
            becomes the name in brackets, such as `[email]`.
        function: called with each text after the patterns; returns the text to keep.
    """

    patterns: tuple[str, ...] = ()
    function: TextFilter | None = None

    def __post_init__(self) -> None:
        """Check the names. Raises UnknownName: there is no such pattern."""
        for name in self.patterns:
            if name not in _PATTERNS:
                raise UnknownName("redaction pattern", name, _PATTERNS)

    def __bool__(self) -> bool:
        """Whether anything is replaced."""
        return bool(self.patterns or self.function)

    def text(self, text: str) -> str:
        """Return a text with all matches replaced. JSON in which something was replaced is written anew.

        Raises:
            BadOption: the function returned no text.
        """
        return self._text(text, 0)

    def record(self, record: Record) -> Record:
        """Return a redacted span or log record."""
        if not self:
            return record
        return record_from_json(self._fields(record.to_json()))

    def _fields(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a span, a log record or an event; those that hold no text of the sender are kept."""
        kept = {name: self.value(item) if name in _TEXT_FIELDS else item for name, item in values.items()}
        if "events" in kept:
            kept["events"] = [self._fields(event) for event in kept["events"]]
        return kept | ({"log": self._fields(kept["log"])} if "log" in kept else {})

    def value(self, value: Any, depth: int = 0) -> Any:  # noqa: ANN401  (any JSON)
        """Return a JSON value with each text and number in it redacted."""
        if isinstance(value, str):
            return self._text(value, depth)
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Any]", value).items()
            return {self._name(name): self.value(item, depth) for name, item in items}
        if isinstance(value, Sequence):
            return [self.value(item, depth) for item in cast("Sequence[Any]", value)]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._number(value)
        return value

    def _text(self, text: str, depth: int) -> str:
        parsed = _parsed_json(text) if depth < _MAX_DEPTH else None
        if parsed is not None:
            kept = self.value(parsed, depth + 1)
            text = text if kept == parsed else read_text(json.dumps(kept, ensure_ascii=False))
        else:
            text = self._without_escapes(text)
        text = self._without_patterns(text)
        if self.function is None:
            return text
        kept_text = cast("object", self.function(text))
        if not isinstance(kept_text, str):
            raise BadOption(
                f"The redaction function returned {type(kept_text).__name__}: it must return a string."
            )
        return kept_text

    def _name(self, name: str) -> str:
        return self._without_patterns(self._without_escapes(name))

    def _number(self, number: float) -> Any:  # noqa: ANN401  (a number, or the text in its place)
        is_card = "card" in self.patterns and _CARD_NUMBER.fullmatch(_digits(number))
        return "[card]" if is_card and _is_card(_digits(number)) else number

    def _without_patterns(self, text: str) -> str:
        for name in BUILT_IN:
            if name in self.patterns:
                text = _PATTERNS[name].sub(lambda match, name=name: _replaced(match[0], name), text)
        return text

    def _without_escapes(self, text: str) -> str:
        """Return a text with its escapes decoded if something is to be replaced then, else the text itself."""
        decoded = _unescaped(text)
        if decoded != text:
            kept = self._without_patterns(decoded)
            return text if kept == decoded else kept
        decoded = _from_base64(text)
        if decoded is None:
            return text
        kept = self._without_patterns(decoded)
        return text if kept == decoded else base64.b64encode(kept.encode()).decode()


class Match(NamedTuple):
    """Personal data or a secret in a text: the name of the pattern, and the offsets of its beginning and end."""

    kind: str
    start: int
    end: int


def find_matches(text: str, patterns: Sequence[str]) -> list[Match]:
    """Return what the patterns find in a text as it is written, in order.

    An IBAN must have correct check digits here, and a card begin with 2 to 6: numbers that begin with 1 are times. A
    place that two patterns find is found once, by the first of them in the order of `BUILT_IN`.
    """
    found: list[Match] = []
    taken = bytearray(len(text))  # also by a wrong check digit: no part of such a number is anything else
    for name in BUILT_IN:
        for match in _PATTERNS[name].finditer(text) if name in patterns or name == "iban" else ():
            is_valid = {"card": _is_likely_card, "iban": _is_iban}.get(name, bool)
            inside_number = match[0].startswith("00") and text[: match.start()].rstrip(" ")[-1:].isdigit()
            free = 1 not in taken[match.start() : match.end()]
            if name in patterns and free and is_valid(match[0]) and not inside_number:
                found.append(Match(name, *match.span()))
            if name == "iban" or is_valid(match[0]):
                taken[match.start() : match.end()] = b"\1" * len(match[0])
    return sorted(found, key=lambda match: match.start)


def _is_likely_card(text: str) -> bool:
    return text[0] in "23456" and _is_card(text)


def _is_iban(text: str) -> bool:
    """Return whether the check digits of an IBAN are correct (ISO 7064, MOD 97-10)."""
    compact = text.replace(" ", "")
    return int("".join(str(int(character, 36)) for character in compact[4:] + compact[:4])) % 97 == 1


def _parsed_json(text: str) -> object:
    if text.lstrip()[:1] not in {"{", "[", '"'}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _digits(number: float) -> str:
    """Return the digits of a whole number; empty for other numbers, and for those with more digits than a card."""
    return str(int(number)) if abs(number) < _MAX_CARD and number == int(number) else ""


def _unescaped(text: str) -> str:
    """Return a text in which the escapes of letters, digits and the signs of the patterns are decoded.

    Others stay, so that the structure of what contains them does not change.
    """
    if not ("\\" in text or "%" in text or "&" in text):
        return text
    return _ESCAPE.sub(_decoded_escape, text)


def _decoded_escape(match: re.Match[str]) -> str:
    digits = match["hexadecimal"] or match["percent"] or match["entity"]
    number = int(digits, 16) if digits else int(match["decimal"] or "64")
    character = chr(number) if number < 0x80 else ""  # noqa: PLR2004  (ASCII)
    return character if character and _PLAIN.fullmatch(character) else match[0]


def _from_base64(text: str) -> str | None:
    """Return the text that base64 holds; None if it is no base64 of a text."""
    if len(text) < _MIN_BASE64 or len(text) % 4 or not _BASE64.fullmatch(text):
        return None
    try:
        return base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_")).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _replaced(matched: str, name: str) -> str:
    return matched if name == "card" and not _is_card(matched) else f"[{name}]"


def _is_card(text: str) -> bool:
    """Return whether a number has 13 to 19 digits and a correct check digit (Luhn), as every card number does."""
    digits = [int(digit) for digit in reversed(_NON_DIGIT.sub("", text))]
    doubled = [2 * digit - (_NINE if 2 * digit > _NINE else 0) for digit in digits[1::2]]
    fits = (sum(digits[::2]) + sum(doubled)) % 10 == 0
    return _MIN_CARD_DIGITS <= len(digits) <= _MAX_CARD_DIGITS and fits and any(digits)
