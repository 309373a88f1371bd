"""Facts stated by sentences, by the patterns of each language, with the question that the sentence answers."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact
from ragstone.drafts.facts.patterns import (
    HEAD,
    NUMBER,
    PATTERNS,
    RELATIVE_VALUE,
    SECOND_VERB,
    VAGUE_SUBJECT,
    SentencePattern,
)
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.reading.blocks import list_items, prose
from ragstone.drafts.reading.markdown import plain_inline
from ragstone.drafts.words import content_set

_SECOND_SUBJECT = re.compile(
    r"(?:(?<!`),|;) (?:and |but )?(?:`[^`]+` (?!and\b|or\b)[\w“(`]|it\b|they\b|this\b)"
)
"""The place where a sentence continues with another subject: "reuses answers, and `--offline` replays them"."""

_EACH = re.compile(
    rf"(?:(?:up to|about|at least|at most|no more than|a maximum of) )?{NUMBER} (?P<unit>[a-z ]+)"
)
_ARTICLES = frozenset(
    {"A", "An", "The", "Your", "My", "Der", "Die", "Das", "Ein", "Eine", "Le", "La", "Les", "Un", "Une"}
)
_MAX_SUBJECT_WORDS = 7
_MIN_DESCRIPTION_WORDS = 5


def sentence_facts(source: FactSource) -> Iterator[Fact]:
    """Yield the facts from the sentences and list items of a passage; none for a language without patterns."""
    patterns = PATTERNS.get(source.language, ())
    for span in [*prose(source.text), *list_items(source.text)] if patterns else ():
        plain = plain_inline(" ".join(source.text[slice(*span)].split()))
        for pattern in patterns:
            match = pattern.text.fullmatch(plain)
            parts = _fact(pattern, match, source) if match else None
            if parts:
                yield Fact(pattern.form, source.index, span, *parts)
                break


def _fact(pattern: SentencePattern, match: re.Match[str], source: FactSource) -> tuple[str, ...] | None:
    """Return question, subject, attribute, value and article of a sentence; None if it needs the text around it."""
    groups = {name: (value or "").strip() for name, value in match.groupdict().items()}
    subject, value = groups["x"], groups["value"]
    vague = VAGUE_SUBJECT.match(subject) or SECOND_VERB.search(subject) or POINTS_ELSEWHERE.search(value)
    if vague or len(subject.split()) > _MAX_SUBJECT_WORDS or not _is_clear(pattern, subject, source):
        return None
    if pattern.form == "attribute":
        value = "" if RELATIVE_VALUE.match(value) else re.split(r", (?:and|but|which|so)\b", value)[0]
    elif pattern.form == "definition" or "`" in subject:
        value = _description(pattern, groups)
    small = _in_sentence(subject, source)
    if not value:
        return None
    wording, parts = _wording(pattern, {**groups, "x": small}, value)
    question = wording.format(**parts)
    within = "within " if wording.startswith("How soon") else ""
    if (
        source.language == "en"
        and re.fullmatch(r"The [a-z-]+", subject)
        and small in source.complete(question)
    ):
        return None  # "the crossing": which one?
    completed = question if "`" in subject or pattern.form == "attribute" else source.complete(question)
    if pattern.form == "definition" and (small != small.lower() or not completed.startswith(question[:-1])):
        completed = question  # a name needs no owner
    answer = f"{within}{value} {parts['tail']}".strip()
    return completed, subject, pattern.attribute.format(**parts).strip(), answer, groups.get("article", "")


def _is_clear(pattern: SentencePattern, subject: str, source: FactSource) -> bool:
    """Return whether a subject is understood: code of this document, a name, or any in a document with a topic.

    A definition also has to stand below a heading with its term, or at the beginning of a document about it.
    """
    if pattern.form == "definition":
        headings = source.passage.headings[-1:] or ("",)
        return (
            content_set(subject) <= content_set(headings[0])
            and len(headings[0].split()) <= _MAX_SUBJECT_WORDS
        )
    if "`" in subject:
        return subject not in source.common
    name = r" [A-ZÄÖÜ]\w+ [A-ZÄÖÜ]|\d" if source.language == "de" else r" [A-ZÀ-Þ]|\d"
    if re.search(name, subject) or (pattern.form == "attribute" and re.match("[A-ZÀ-Þ]", subject)):
        return True
    return pattern.form != "attribute" and source.own_topic is not None


def _description(pattern: SentencePattern, groups: dict[str, str]) -> str:
    """Return the description of a subject, without a second subject; empty if it says little."""
    value = _SECOND_SUBJECT.split(groups["value"])[0]
    said = f"{groups['verb']} {value}" if pattern.question.endswith("do?") else value
    short = len(said.split()) < _MIN_DESCRIPTION_WORDS or re.search(r"\d|[;:]|\b(?:all|again)\b", said)
    return "" if short or RELATIVE_VALUE.match(value) else said[:1].upper() + said[1:]


def _wording(pattern: SentencePattern, groups: dict[str, str], value: str) -> tuple[str, dict[str, str]]:
    """Return the wording of the question, and the parts that it names."""
    wording, tail = pattern.question, groups.get("tail", "")
    several, article = (
        re.search(r"(?<![su'’i])s$", HEAD.split(groups["x"])[0]),
        groups.get("article", "").lower(),
    )
    parts = {
        **groups,
        "tail": tail,
        "does": "do" if several else "does",
        "the": article,
        "which": "Quelle" if article == "la" else "Quel",
        "of": "d’" if re.match(r"[aeiouyhéèêàâîôAEIOUYÉÈ]", groups["x"]) else "de ",
    }
    parts |= {name: f" {groups[name]}" if groups.get(name) else "" for name in ("rest", "more")}
    each = _EACH.fullmatch(value) if re.fullmatch(r"(?:a|per|each) (?:day|week|month|year)", tail) else None
    if each and wording.startswith("How long {verb}"):
        wording = f"How many {each['unit']} {tail} {{verb}} {{x}}{{rest}}?"
    elif groups.get("cost") == "cost" and not several:
        wording = "How much did {x} cost?"
    return wording, parts


def _in_sentence(subject: str, source: FactSource) -> str:
    """Return a subject as it is written within a sentence."""
    first, *rest = subject.split()
    named = rest and re.match(r"[A-ZÀ-Þ\d]", rest[0])  # "Express Parcel"
    ordinary = source.language == "en" and re.fullmatch(r"[A-Z][a-z-]+", first) and not named
    known = rest or first.endswith("s") or first.casefold() in source.ordinary
    small = first in _ARTICLES or (ordinary and known)
    return subject[:1].lower() + subject[1:] if small else subject
