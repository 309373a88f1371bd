"""Whether a full stop ends a sentence, by the word before it and the word after it.

A full stop does not end a sentence before a small letter, in an abbreviation (`abbreviations`), after an initial, after
an ordinal number ("am 3. Mai") and after the number of a list item ("2. Press start.").
"""

import re

from ragstone.text import abbreviations

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
_LIST_MARKER = re.compile(r"\s*+\d{1,3}\)\s")
_LONGEST_ABBREVIATION = 12
_WINDOW = 40
"""Number of characters before a full stop that are read."""


def ends_sentence(text: str, start: int, stop: int, end: int) -> bool:
    """Return whether full stops (or a question or exclamation mark) end the sentence that begins at `start`.

    Args:
        text: the text.
        start: where the sentence begins.
        stop: offset of the first stop.
        end: end of the stops and of the quotes and brackets that close after them.
    """
    following = _NEXT.match(text, end)
    if not following:
        return True
    word = following["word"]
    if text[stop] in "!?":
        return not word[0].islower() or _is_separate_question(text, stop, end, following["dash"])
    if word[0].islower() or word[0] in ".,;" or "\u0e00" <= word[0] < "\u0e80":
        return False
    if end - stop > 1 or text[stop] != "." or _LIST_MARKER.match(text, end):
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
    return not _is_letter(last, token[0]) or _is_no_initial(before[:-1], last, word, after_word)


def _chain(before: str, token: re.Match[str]) -> str:
    """Return the last token together with the short abbreviations right before it: "z.b" of "z. B"."""
    earlier = _EARLIER_PARTS.search(before, max(0, token.start() - _LONGEST_ABBREVIATION), token.start())
    return (_BLANK.sub("", earlier[0] if earlier else "") + token[0]).casefold()


def _is_letter(last: str, token: str) -> bool:
    return len(last) == 1 and last.isalpha() and not _ELISION.search(token)


def _is_ordinal(before: str, word: str) -> bool:
    context = _WORD_BEFORE.search(before)
    if word.casefold() in abbreviations.MONTHS:
        return True
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
