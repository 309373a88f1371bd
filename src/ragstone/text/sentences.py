"""Splits a text into sentences, as spans: the text is never changed.

Empty lines, list items, headings and rows of tables end a sentence too. A full stop does not end one before a small
letter, in an abbreviation (`abbreviations`), after an initial, after an ordinal number ("am 3. Mai") and after the
number of a list item ("2. Press start."). No language is given: the rules of all languages hold at once.

Everything here is linear in the length of the text.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from ragstone.text import abbreviations

_CLOSERS = r"[\"'”“’‘)\]»」』）】〉》*_]"
_MARKER = r"[ \t]?(?:\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,20}\]|【[^【】\n]{1,40}】)|[¹²³⁰⁴-⁹]"
"""A citation marker after a full stop belongs to the sentence that it ends."""
_CANDIDATE = re.compile(
    rf"""
    [.!?…。．！？｡؟।॥۔։።;\u037e\nบะ](?:
        (?<=[.!?…])[.!?…]*+(?:{_CLOSERS}|[\u00a0\u202f\ ]»|{_MARKER})*+
        |(?<=[。．！？｡؟।॥۔։።])[。．！？｡؟।॥۔!?]*+(?:{_CLOSERS}|{_MARKER})*+
        |(?<=[\u0370-\u03ff][;\u037e])(?=\s|$)
        |(?<=\n)[^\S\n]*+
        |(?:(?<=ครับ)|(?<=ค่ะ)|(?<=คะ))(?=[ ][\u0e00-\u0e7f])
    )
    """,
    re.VERBOSE,
)
"""Each place where a sentence may end. It begins with a set of characters, which is searched fast."""
_ITEM = re.compile(r"(?:[-*+•‣◦\u2013>]|\(?\d{1,3}[.)۔]|[a-zA-Z]\)|#{1,6})(?=\s)|\|")
"""Beginning of a line that is a sentence, or begins one."""
_LINE_UNIT = re.compile(r"#{1,6}\s|\|")
"""Beginning of a heading or of a row of a table, which is not split."""
_LIST_NUMBER = re.compile(r"\s*+(?:(?P<label>[^\W\d_]{1,12})\s)?\(?(?P<number>\d{1,3})\Z")
_LONGEST_LIST_NUMBER = 24
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")

_OPENERS = "\"'“”„‘’«»‹([{¿¡「『《*_"
_NEXT = re.compile(
    rf"\s*+(?P<dash>[—–-]\s?)?[{re.escape(_OPENERS)}]{{0,3}}\s?(?P<word>[^\W\d_]{{1,30}}(?![^\W\d_])|\S)"
)
_NUMBER = re.compile(r"(?<![\w.,:/])(\d{1,3})\Z")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[\s\u00a0]\(?\Z")
_LAST_TOKEN = re.compile(r"[^\s\d,;:!?()\[\]{}\"“”„«»/—–*_]{1,16}\Z")
_EARLIER_PARTS = re.compile(r"(?:(?<![^\s(\[{\"“”„«»/—–*_])[^\s\d.,;:!?()]{1,4}\.[ \u00a0\u202f]){1,4}\Z")
_BLANK = re.compile(r"\s")
_PART_END = re.compile(r"[.\s'’-]")
_ELISION = re.compile(r"['’].\Z")
_ROMAN_NUMERAL = re.compile(r"[IVXLC]{1,6}\Z")
_NUMBERED_ITEM = re.compile(r"\s*+\d{1,3}\)\s")
_LONGEST_ABBREVIATION = 12
_WINDOW = 40
"""Number of characters before a full stop that are read."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text, without the blanks around them.

    Abbreviations, initials, ordinals and decimals do not end a sentence; list items and blank lines do.
    """
    cuts = [0, *_sentence_ends(text), len(text)]
    return [span for start, end in pairwise(cuts) if (span := strip(text, start, end))]


def _sentence_ends(text: str) -> Iterator[int]:
    start, list_number = 0, 0
    in_unit = bool(_LINE_UNIT.match(text))
    for match in _CANDIDATE.finditer(text):
        stop, end = match.span()
        if text[stop] == "\n":
            ends, in_unit = in_unit or _line_ends(text, stop, end), bool(_LINE_UNIT.match(text, end))
        elif in_unit:
            continue
        elif (number := _item_number(text, start, stop)) and (
            number == list_number + 1 or start == 0 or "\n" in text[start - 1 : start + 1]
        ):
            list_number = number
            continue
        else:
            ends = _stop_ends(text, start, stop, end)
        if ends:
            start = end
            yield end


def _line_ends(text: str, stop: int, end: int) -> bool:
    """Whether a sentence ends with its line: before an empty line or an item, and in Thai, which has no full stops."""
    return (
        text[end : end + 1] in ("\n", "")
        or bool(_ITEM.match(text, end))
        or "\u0e00" <= text[stop - 1 : stop] < "\u0e80"
    )


def _stop_ends(text: str, start: int, stop: int, end: int) -> bool:
    if text[stop] in ".!?…":
        if end < len(text) and not text[end].isspace():
            return text[stop] in "!?" and bool(_CJK.match(text, end))
        return _ends_sentence(text, start, stop, end)
    return not (end - stop > 1 and text.startswith(("と", "って"), end))  # a quotation


def _item_number(text: str, start: int, stop: int) -> int:
    """Return the number of a list item, or of a step, whose text begins after a full stop; 0 if it is none."""
    if stop - start > _LONGEST_LIST_NUMBER or not text[stop - 1 : stop].isdigit():
        return 0
    match = _LIST_NUMBER.match(text[start:stop])
    if not match or (match["label"] and match["label"].casefold() not in abbreviations.LABELS):
        return 0
    return int(match["number"])


def _ends_sentence(text: str, start: int, stop: int, end: int) -> bool:
    """Whether full stops, or a question or exclamation mark, end the sentence that begins at `start`.

    They are at `stop`; `end` is behind them and the quotes and brackets that close after them.
    """
    following = _NEXT.match(text, end)
    if not following:
        return True
    word = following["word"]
    if text[stop] in "!?":
        return not word[0].islower() or _is_separate_question(text, stop, end, following["dash"])
    if word[0].islower() or word[0] in ".,;" or "\u0e00" <= word[0] < "\u0e80":
        return False
    if end - stop > 1 or text[stop] != "." or _NUMBERED_ITEM.match(text, end):
        return True
    before = text[max(start, stop - _WINDOW) : stop]
    if number := _NUMBER.search(before):
        return not _is_ordinal(before[: number.start()], word)
    return _is_last_word(before, word, text[following.end() : following.end() + 1])


def _is_separate_question(text: str, stop: int, end: int, dash: str | None) -> bool:
    """Whether a sentence ends at a question or exclamation mark that a small letter follows.

    It does not if a quotation ends there ("Who?" he asked), nor in a name ("Yahoo! was").
    """
    if dash or text[end - 1] not in "!?":
        return False
    name = re.search(r"\w+\Z", text[max(0, stop - _WINDOW) : stop])
    return not (text[stop] == "!" and name and name[0][0].isupper())


def _is_last_word(before: str, word: str, after_word: str) -> bool:
    """Whether the sentence ends between `before`, which a full stop follows, and the next word."""
    token = _LAST_TOKEN.search(before, max(0, len(before) - _LONGEST_ABBREVIATION - 1))
    if not token or len(token[0]) > _LONGEST_ABBREVIATION:
        return True
    last = _PART_END.split(token[0])[-1]
    forms = {_chain(before, token), last, last.casefold() if len(last) > 1 else last}
    if forms & abbreviations.NEVER_LAST:
        return False
    if forms & abbreviations.TIMES_OF_DAY:
        return word.casefold() not in abbreviations.AFTER_TIMES
    if forms & abbreviations.BEFORE_NUMBER or last.endswith("str"):
        may_be_last = forms & abbreviations.MAYBE_LAST
        return not _is_number(word, after_word) and (not may_be_last or _is_starter(word, after_word))
    if forms & abbreviations.MAYBE_LAST:
        return word.isdigit() or _is_starter(word, after_word)
    is_letter = len(last) == 1 and last.isalpha() and not _ELISION.search(token[0])
    return not is_letter or _is_no_initial(before[:-1], last, word, after_word)


def _chain(before: str, token: re.Match[str]) -> str:
    """Return the last token together with the short abbreviations right before it: "z.b" of "z. B"."""
    earlier = _EARLIER_PARTS.search(before, max(0, token.start() - _LONGEST_ABBREVIATION), token.start())
    return (_BLANK.sub("", earlier[0] if earlier else "") + token[0]).casefold()


def _is_ordinal(before: str, word: str) -> bool:
    if word.casefold() in abbreviations.MONTHS:
        return True
    context = _WORD_BEFORE.search(before)
    return (
        context is not None
        and context[1].casefold() in abbreviations.ORDINAL_CONTEXT
        and word[0].isupper()
        and word.casefold() not in abbreviations.STARTERS
        and not before.endswith("I am ")
    )


def _is_number(word: str, after_word: str) -> bool:
    return (
        word[0].isdigit()
        or word in "§№"
        or bool(_ROMAN_NUMERAL.match(word))
        or (len(word) == 1 and after_word == ".")
    )


def _is_starter(word: str, after_word: str) -> bool:
    return word.casefold() in abbreviations.STARTERS and not (len(word) == 1 and after_word == ".")


def _is_no_initial(before: str, letter: str, word: str, after_word: str) -> bool:
    """Whether a single letter is a unit ("12 m.") or a label ("plan B.") and no initial ("J. Hale")."""
    if before[-2:-1].isdigit():
        return letter.islower()
    label = _WORD_BEFORE.search(before)
    if label and label[1].casefold() in abbreviations.LABELS:
        return True
    return _is_starter(word, after_word)


def strip(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span without the blanks at its ends, or None when nothing remains."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return (start + left, start + right) if right > left else None
