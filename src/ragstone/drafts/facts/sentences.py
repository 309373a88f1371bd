"""Facts stated by sentences, by the patterns of each language, with the question that the sentence answers."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.blocks import list_items, prose
from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact
from ragstone.drafts.facts.patterns import HEAD, NUMBER, PATTERNS, SentencePattern
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.wording import article_of, ask_attribute, is_attribute, is_plural
from ragstone.drafts.reading.markdown import plain_inline

_VAGUE_SUBJECT = re.compile(
    r"(?:it|this|that|these|those|there|they|he|she|we|you|i|each|every|all|both|one|some|any|which|what|here|such|its|their|"
    r"his|her|our|your|es|er|sie|wir|dies\w*|jede[rs]?|man|il|elle|on|ce\w*|nous|vous|if|when|where|while|as|so|but|and|or|"
    r"with|without|for|in|on|at|by|from|to|after|before|not|no|only|also|because|whether|then|both)\b|.*\b(?:it|they|its|their|this|"
    r"that|these|those|which|who|above|below|here|same|other)\b|"
    r"(?:an? )?(?:new|other|further|second|good|bad|single|own|different|missing)\b|[A-Z][a-z]+ing$",
    re.IGNORECASE,
)
_SECOND_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|may|can|must|should|will|does|do|ist|sind|hat|est|sont)\b|\b(?:and|or)$"
)
_RELATIVE_VALUE = re.compile(
    r"(?:that|this|these|those|what|whatever|it|they|not|also|only|still|then|as|one of|the (?:same|only|first|second|"
    r"last|other|most|best|right|reason|result|case|point|way|part|number|name|difference)|[a-z]+ed|an? "
    r"(?:good|great|nice|common|typical|useful|simple|easy|perfect|popular|few|lot|bit|little|kind|sort|matter|must|way))\b",
    re.IGNORECASE,
)
_SECOND_SUBJECT = re.compile(
    r"(?:(?<!`),|;) (?:and |but )?(?:`[^`]+` (?!and\b|or\b)[\w“(`]|it\b|they\b|this\b)"
)
"""The place where a sentence continues with another subject: "reuses answers, and `--offline` replays them"."""

_BASES = {"has": "have", "holds": "hold", "employs": "employ", "seats": "seat", "contains": "contain"}
_EACH = re.compile(
    rf"(?:(?:up to|about|at least|at most|no more than|a maximum of) )?{NUMBER} (?P<unit>[a-z ]+)"
)
_ARTICLES = frozenset({"A", "An", "The", "Your", "My", "Le", "La", "Les", "Un", "Une"})
_MAX_SUBJECT_WORDS = 7
_MIN_DESCRIPTION_WORDS = 5
_MAX_READ_CHARS = 5000


def sentence_facts(source: FactSource) -> Iterator[Fact]:
    """Yield the facts from the sentences and list items of a passage; none for a language without patterns."""
    patterns = PATTERNS.get(source.language, ())
    for span in [*prose(source.text), *list_items(source.text)] if patterns else ():
        plain = plain_inline(" ".join(source.text[slice(*span)].split()))
        for pattern in patterns:
            match = pattern.text.fullmatch(plain)
            parts = _fact(pattern, match, source) if match else None
            if parts:
                yield Fact(pattern.form, source.index, span, *parts, place=source.place)
                break


def _fact(pattern: SentencePattern, match: re.Match[str], source: FactSource) -> tuple[str, ...] | None:
    """Return question, subject, attribute, value and article of a sentence; None if it needs the text around it."""
    groups = {name: (value or "").strip() for name, value in match.groupdict().items()}
    subject, value = groups["x"], groups["value"]
    vague = _VAGUE_SUBJECT.match(subject) or _SECOND_VERB.search(subject) or POINTS_ELSEWHERE.search(value)
    if vague or len(subject.split()) > _MAX_SUBJECT_WORDS:
        return None
    if pattern.form == "attribute":
        return _attribute(groups, source.language)
    if pattern.form == "definition" or "`" in subject:
        value = _description(pattern, groups)
    small = _in_sentence(subject, source.text[:_MAX_READ_CHARS], source.language)
    if not (small and value and _is_clear(pattern, subject, source)):
        return None
    wording, parts = _wording(pattern, {**groups, "x": small}, value)
    question = wording.format(**parts)
    within = "within " if wording.startswith("How soon") else ""
    answer = f"{within}{value} {parts['tail']}".strip()
    completed = question if "`" in subject else source.complete(question)
    return completed, subject, pattern.attribute.format(**parts).strip(), answer


def _is_clear(pattern: SentencePattern, subject: str, source: FactSource) -> bool:
    """Return whether a subject is understood: code, a name, a kind of thing, or any in a document with a topic."""
    if "`" in subject or re.search(r" [A-ZÀ-Þ]|\d", subject):
        return True
    if pattern.form == "definition":
        return source.language != "en" or re.match(r"An? ", subject) is not None
    return source.own_topic is not None


def _attribute(groups: dict[str, str], language: str) -> tuple[str, ...] | None:
    attribute, subject = groups["attribute"], groups["x"]
    value = re.split(r", (?:and|but|which|so)\b", groups["value"])[0]
    article = groups.get("article") or article_of(attribute, language)
    named = re.search(r"[A-ZÀ-Þ`\d]", subject) and not _RELATIVE_VALUE.match(value)
    question = (
        ask_attribute(attribute, subject, language, article)
        if named and is_attribute(attribute, language)
        else None
    )
    return (question, subject, attribute, value, article) if question else None


def _description(pattern: SentencePattern, groups: dict[str, str]) -> str:
    """Return the description of a subject, without a second subject; empty if it says little."""
    value = _SECOND_SUBJECT.split(groups["value"])[0]
    said = f"{groups['verb']} {value}" if pattern.question.endswith("do?") else value
    one_word = re.fullmatch(r"`[^\W_A-Z]+`|[A-Z][a-z]+", groups["x"])
    short = len(said.split()) < _MIN_DESCRIPTION_WORDS
    return "" if one_word or short or _RELATIVE_VALUE.match(value) else said[:1].upper() + said[1:]


def _wording(pattern: SentencePattern, groups: dict[str, str], value: str) -> tuple[str, dict[str, str]]:
    """Return the wording of the question, and the parts that it names."""
    wording, tail = pattern.question, groups.get("tail", "")
    several = is_plural(HEAD.split(groups["x"])[0])
    parts = {
        **groups,
        "tail": tail,
        "does": "do" if several else "does",
        "base": _BASES.get(groups.get("verb", ""), ""),
    }
    parts |= {name: f" {groups[name]}" if groups.get(name) else "" for name in ("rest", "more")}
    each = _EACH.fullmatch(value) if re.fullmatch(r"(?:a|per|each) (?:day|week|month|year)", tail) else None
    if each and wording.startswith("How long {verb}"):
        wording = f"How many {each['unit']} {tail} {{verb}} {{x}}{{rest}}?"
    elif groups.get("cost") == "cost" and not several:
        wording = "How much did {x} cost?"
    return wording, parts


def _in_sentence(subject: str, text: str, language: str) -> str | None:
    """Return a subject as it is written within a sentence; None if its first letter cannot be told."""
    first, *rest = subject.split()
    small = " ".join([first[:1].lower() + first[1:], *rest])
    if language == "de":
        return small if re.fullmatch(r"Der|Die|Das|Eine?", first) else subject
    if first in _ARTICLES:
        return small
    ordinary = (
        first[1:].islower()
        and first.replace("-", "").isalpha()
        and not re.match(r"[A-ZÀ-Þ\d]", " ".join(rest))
    )
    if not ordinary or language == "fr":
        return subject
    if re.search(rf"\b{first.lower()}\b", text) or (
        not re.search(rf"[a-z,] {first}\b", text) and (rest or is_plural(first) or "-" in first)
    ):
        return small
    return subject if re.search(rf"[a-z,] {first}\b", text) else None
