"""Scripts that are written without blanks between words. There a character stands for a word."""

import re

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_OTHERS = "\u3040-\u30ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Kana, Thai, Lao, Burmese and Khmer."""

_SYMBOLS = "\u2190-\u2bff\U0001f000-\U0001faff"
"""Arrows, signs and emoji, each of which is a word."""

_WORDS = re.compile(rf"[{_HAN}{_OTHERS}{_SYMBOLS}]|[^\W{_HAN}{_OTHERS}]+")
_HAN_PATTERN, _OTHER_PATTERN = re.compile(f"[{_HAN}]"), re.compile(f"[{_OTHERS}]")


def words(text: str) -> list[str]:
    """Return the words of a text: runs of letters and digits, and single characters of scripts without blanks."""
    return _WORDS.findall(text)


def bleu_tokenizer(text: str) -> str:
    """Return the name of sacreBLEU's tokenizer for the script of a text."""
    if _OTHER_PATTERN.search(text):
        return "char"
    return "zh" if _HAN_PATTERN.search(text) else "13a"
