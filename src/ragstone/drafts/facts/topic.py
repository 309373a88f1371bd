"""The topic of a document: the name in its title, which completes a question that is not understood without it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragstone.drafts.facts.words import DEVICE, GENERIC_TITLE_WORDS, PLACE_WORDS, TASK_VERBS
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.text.words import content_set

_PARTS = re.compile(r"\s*[:|·]\s+|\s+[–—-]\s+")
_LINKS = re.compile(r"\s+(?:of|at|for|by|in|von|bei|für|du|des|de)\s+")
_FRONT = re.compile(
    r"^(?:\d+[.)]|about|welcome to|visit|in|on|for|of|the|a|an|der|die|das|le|la|les|du|de|für|von|zu[mr]?)\s+",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r",|\b(?:if|when|after|before|that|who|because|while|until|and)\b")
_QUESTION = re.compile(r"[^?]*\?")
_RECIPE = re.compile(r"^\W*(?:ingredients|zutaten|ingrédients)\b", re.IGNORECASE | re.MULTILINE)
_RULES = re.compile(r"\b(?:policy|regulations|agreement|code of conduct)$", re.IGNORECASE)
_SOFTWARE = re.compile(r"\b(?:API|app|docs|documentation|reference|software|library)\b", re.IGNORECASE)
_EMPLOYER = re.compile(
    r"\b(?:handbook|staff|employees?|policy|prices?|price list|customers?|members?|opening)\b", re.IGNORECASE
)
_MAX_NAME_WORDS = 6


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of a document.

    Attributes:
        name: its name with its article: "Aldbrook library", "the Harlow Museum", "lentil soup".
        lead: the English preposition before it in a question: "at Aldbrook library".
        is_name: whether it is a proper name.
        is_own: whether it is the document's own, and not that of the documents' start page.
    """

    name: str
    lead: str = ""
    is_name: bool = True
    is_own: bool = True

    def named_in(self, text: str) -> bool:
        """Return whether a text has the words of the name."""
        return content_set(self.name) <= content_set(text)

    def complete(self, question: str, language: str) -> str:
        """Return a question with the topic, unless it names it already."""
        if self.named_in(question):
            return question
        if language != "en":
            return f"{self.name} : {question}" if language == "fr" else f"{self.name}: {question}"
        head = re.escape(self.name.rsplit(" ", 1)[-1])
        replaced = re.sub(rf"\bthe {head}\b", self.name, question, count=1, flags=re.IGNORECASE)
        if replaced == question and self.lead != "at":
            replaced = DEVICE.sub(self.name, question, count=1)
        if replaced != question:
            return replaced[:1].upper() + replaced[1:]
        if _CLAUSE.search(question) or not _QUESTION.fullmatch(question):
            rest = (
                question if re.match(r"I\b|[A-Z][A-Z\d]", question) else question[:1].lower() + question[1:]
            )
            return f"{self.lead.capitalize()} {self.name}, {rest}"
        return f"{question[:-1].rstrip()} {self.lead} {self.name}?"


def topics_of(corpus: Sequence[DraftPassage]) -> dict[str, Topic | None]:
    """Return the topic of each document; one without a name has that of the documents' start page, if there is one."""
    texts, titles = dict[str, list[str]](), dict[str, str]()
    for passage in corpus:
        texts.setdefault(passage.document, []).append("\n".join((*passage.headings[1:], passage.text)))
        if passage.headings:
            titles.setdefault(passage.document, passage.headings[0])
    topics = {name: _topic(titles.get(name, ""), "\n".join(parts)) for name, parts in texts.items()}
    start = next((topics[name] for name in topics if re.fullmatch(r"(?i)(?:index|readme)\.\w+", name)), None)
    shared = (
        replace(start, is_own=False, lead="at" if start.lead == "at" else "in")
        if start and start.is_name
        else None
    )
    return {name: topic or shared for name, topic in topics.items()}


def titled(title: str) -> Topic | None:
    """Return a title as a topic, in quotation marks; None for a question, a task, and a long title."""
    title = re.sub(r"^\d+[.)]\s+", "", title)
    words = title.split()
    if len(words) == 1 or title.endswith("?") or not words or len(words) > _MAX_NAME_WORDS:
        return None
    if words[0].casefold() in TASK_VERBS:
        return None
    return Topic(f"“{title.strip('`')}”", "for", is_name=False)


def _topic(title: str, text: str) -> Topic | None:
    words = title.split()
    if not words or title.endswith("?") or words[0].casefold() in TASK_VERBS:
        return None
    if _RULES.search(title) and len(words) <= _MAX_NAME_WORDS:
        mid = re.search(rf"[a-z,] {re.escape(words[0])}\b", text)
        return Topic(f"the {title if mid or words[0].isupper() else title[:1].lower() + title[1:]}", "under")
    topics = [
        topic for part in _PARTS.split(title) if (topic := _part_topic(_name_in(part, text), title, text))
    ]
    return next((topic for topic in topics if topic.is_name), topics[0] if topics else None)


def _name_in(part: str, text: str) -> str:
    """Return the part of a title that the text uses most: "Solvik Energy" of "Annual report of Solvik Energy"."""
    pieces = (
        [piece for piece in _LINKS.split(part) if " " in piece]
        if len(part.split()) <= _MAX_NAME_WORDS
        else []
    )
    names = [name for name in map(_stripped, (part, *pieces)) if name[:1].isupper()]
    return max(
        names, key=lambda name: len(re.findall(rf"\b{re.escape(name)}\b", text)), default=_stripped(part)
    )


def _stripped(part: str) -> str:
    """Return a part of a title without the words that any document may have: "handbook", "2026"."""
    name, before = part.strip('`*"“” '), ""
    while name != before:
        before = name
        name = GENERIC_TITLE_WORDS.sub("", _FRONT.sub("", name, count=1)).strip(" ,&")
    return name


def _part_topic(name: str, title: str, text: str) -> Topic | None:
    if not name or len(name.split()) > _MAX_NAME_WORDS or name.casefold() in PLACE_WORDS:
        return None
    small = name[:1].lower() + name[1:]
    plain_words = [
        word
        for word in name.split()
        if word.islower() and word not in PLACE_WORDS | {"of", "the", "and", "at"}
    ]
    if (name.islower() and name != title.strip("`")) or len(plain_words) > 1 or re.search(r",|['’]s\b", name):
        return (
            None if len(plain_words) > 1 or not _RECIPE.search(text) else Topic(small, "for", is_name=False)
        )
    uses = len(re.findall(rf"\b{re.escape(name)}\b", text))
    plain_uses = len(re.findall(rf"\b{re.escape(small)}\b", text)) if small != name else 0
    inner = re.search(r"\s[A-ZÀ-Þ]|\d|[a-z][A-Z]|^[A-Z]{2}", name)
    if plain_uses and not inner:
        return Topic(small, "for", is_name=False) if _RECIPE.search(text) else None
    is_place = len(name.split()) > 1 and set(small.casefold().split()) & PLACE_WORDS
    if not (uses or inner or is_place):
        first = name.split(maxsplit=1)[0]  # "Northwind travel"
        return (
            _part_topic(first, title, text)
            if first != name and re.search(rf"\w,? {re.escape(first)}\b", text)
            else None
        )
    articles = len(re.findall(rf"\b[Tt]he {re.escape(name)}\b", text))
    the = "the " if uses and articles * 2 > uses else ""
    return Topic(f"{the}{name}", _lead(name, title, text))


def _lead(name: str, title: str, text: str) -> str:
    """Return "at" for a place, else the preposition that the document has most often before the name."""
    if {word.casefold() for word in re.findall(r"\w+", f"{name} {title}")} & PLACE_WORDS:
        return "at"
    found = Counter(re.findall(rf"\b(with|on|in|at) (?:the |your )?{re.escape(name)}\b", text))
    usual = (
        "on"
        if re.search(r"\d", name)
        else "in"
        if _SOFTWARE.search(title)
        else "at"
        if _EMPLOYER.search(title)
        else "for"
    )
    return found.most_common(1)[0][0] if found else usual
