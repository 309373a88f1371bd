"""The topic of a document: what its title names, which completes a question that is not understood without it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragstone.drafts.facts.words import DEVICE, GENERIC_TITLE, PLACE_WORDS, TASK_VERBS, is_term, lower
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.words import content_set

_PARTS = re.compile(r"\s*[:|·]\s+|\s+:\s+|\s+[–—-]\s+|,\s+(?=\d|\w+ \d)")
_FRONT = re.compile(
    r"^(?:\d+[.)]|about|welcome to|visit|the|a|an|der|die|das|le|la|les|du|de|für|von|zu[mr]?)\s+",
    re.IGNORECASE,
)
_RECIPE = re.compile(r"^\W*(?:ingredients|zutaten|ingrédients)\b", re.IGNORECASE | re.MULTILINE)
_RULES = re.compile(r"\b(?:policy|regulations|agreement|code of conduct)$", re.IGNORECASE)
_ORGANISATION = re.compile(
    r"\b(?:handbook|staff|employees?|prices?|price list|customers?|members?|visitors?|readers?|opening|tariffs?)\b",
    re.IGNORECASE,
)
_INFINITIVE = {
    "fr": re.compile(r"[a-zà-ÿ]+(?:er|ir|re|ez)\b", re.IGNORECASE),
    "de": re.compile(r".* [a-zäöüß]+(?:en|ern|eln)"),
}
_SUBORDINATE = re.compile(r"[,;:]|\b(?:if|when|after|before|that|who|because|while|until|and)\b")
_NOT_AT = re.compile(r"\b(?:bring|send|come|go|travel|ship|get to|you|your)\b")
_SOFTWARE = re.compile(r"\b(?:API|documentation|reference)\b", re.IGNORECASE)
_MINUTES = re.compile(
    r"\b(?:minutes|meeting|template|modèle|vorlage|protokoll|sitzung|compte rendu|réunion)\b", re.IGNORECASE
)
_START_PAGE = re.compile(r"(?:.*/)?(?:index|readme|home|introduction)\.\w+", re.IGNORECASE)
_MOST_WORDS, _MOST_PLAIN_WORDS, _MOST_PREFIX_WORDS = 5, 4, 3


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of a document.

    Attributes:
        name: its name with its article: "Aldbrook library", "the Harlow Museum", "lentil soup".
        lead: the English preposition before it in a question: "at Aldbrook library"; empty if none is known.
        is_name: whether it is a proper name.
        is_own: whether it is the document's own, and not that of the documents' start page.
        whole: the topic of the start page, if this one is a part of it.
    """

    name: str
    lead: str = ""
    is_name: bool = True
    is_own: bool = True
    whole: "Topic | None" = None

    @property
    def searched(self) -> str:
        """The name as one types it into a search box."""
        return self.name.removeprefix("the ")

    def complete(self, question: str, language: str) -> str:
        """Return a question with the topic, unless it names it already: at its end, or else before it."""
        said, own = content_set(question), content_set(self.name) - content_set(" ".join(PLACE_WORDS))
        if content_set(self.name) <= said or len(own & said) * 2 > len(own):
            return question
        if language == "en":
            replaced = DEVICE.sub(self.name, question, count=1)
            for word in PLACE_WORDS.intersection(self.name.casefold().split()) | {self.name.split()[-1]}:
                replaced = re.sub(rf"\bthe {word}\b", self.name, replaced, count=1, flags=re.IGNORECASE)
            if replaced != question:
                return replaced[:1].upper() + replaced[1:]
            moves = self.lead == "at" and _NOT_AT.search(question)
            if self.lead and not moves and not _SUBORDINATE.search(question[1:]):
                return f"{question[:-1].rstrip()} {self.lead} {self.name}?"
        if len(self.name.split()) > _MOST_PREFIX_WORDS and len(said) > _MOST_PREFIX_WORDS + 1:
            return question
        name = self.searched[:1].upper() + self.searched[1:]
        return f"{name}{' ' if language == 'fr' else ''}: {question}"


def topics_of(
    corpus: Sequence[DraftPassage], languages: Sequence[str], ordinary: frozenset[str]
) -> dict[str, Topic | None]:
    """Return the topic of each document; one whose title names nothing has that of the documents' start page.

    No title is named by the words in `ordinary`, which the corpus has in small letters.
    """
    texts, first = dict[str, list[str]](), dict[str, tuple[DraftPassage, str]]()
    for passage, language in zip(corpus, languages, strict=True):
        texts.setdefault(passage.document, []).append("\n".join((*passage.headings[1:], passage.text)))
        first.setdefault(passage.document, (passage, language))
    topics = {
        name: _topic(title_of(passage), "\n".join(texts[name]), language, ordinary)
        for name, (passage, language) in first.items()
    }
    shallow = min((name.count("/") for name in texts), default=0)
    start = next(
        (name for name in sorted(texts) if _START_PAGE.fullmatch(name) and name.count("/") == shallow), ""
    )
    name, topic = _stripped(title_of(first[start][0])) if start else "", topics.get(start)
    if re.fullmatch(r"[\w.-]+", name) and not (topic and topic.is_name):
        topic = Topic(name)  # one word, such as the name of a library
    if topic is None or not topic.is_name:
        return topics
    shared = replace(topic, is_own=False, lead="at" if topic.lead == "at" else "in")
    return {name: replace(topic, whole=shared) if topic else shared for name, topic in topics.items()}


def title_of(passage: DraftPassage) -> str:
    """Return the title of a document from its first passage; empty if that has no heading."""
    return passage.headings[0] if passage.headings else ""


def _topic(title: str, text: str, language: str, ordinary: frozenset[str]) -> Topic | None:
    if title.endswith("?") or not title or _MINUTES.search(title):
        return None
    if _RULES.search(title) and is_term(title, _MOST_WORDS) and language == "en":
        mid = re.search(rf"[a-z,] {re.escape(title.split(maxsplit=1)[0])}\b", text)
        return Topic(f"the {title if mid or title[:2].isupper() else lower(title)}", "under", is_name=False)
    parts = [name for part in _PARTS.split(title) if (name := _stripped(part))]
    topics = [topic for name in parts if (topic := _named(name, title, text, language, ordinary))]
    return next((topic for topic in topics if topic.is_name), topics[0] if topics else None)


def _stripped(part: str) -> str:
    """Return a part of a title without the words that any document may have: "handbook", "2026"."""
    name, before = re.sub(r"\(.*?\)|`", "", part).strip('*"“”„«» '), ""
    while name != before:
        before = name
        name = GENERIC_TITLE.sub("", _FRONT.sub("", name, count=1)).strip(" ,&:")
    return name


def _named(name: str, title: str, text: str, language: str, ordinary: frozenset[str]) -> Topic | None:
    if "," in name:
        return None  # a list
    first = name.split(maxsplit=1)[0].casefold()
    verb = _INFINITIVE.get(language)
    is_task = first in TASK_VERBS or (first.endswith("ing") and " " in name) or (verb and verb.match(name))
    if is_task or not is_term(name, _MOST_WORDS):
        return None
    if not _is_name(name, title, text, language, ordinary):
        if len(name.split()) > _MOST_PLAIN_WORDS:
            return None
        recipe = _RECIPE.search(text) is not None
        return Topic(name if language == "de" else lower(name), "for" if recipe else "", is_name=False)
    uses, articles = (len(re.findall(rf"{the}\b{re.escape(name)}\b", text)) for the in ("", r"\b[Tt]he "))
    return Topic(f"{'the ' if uses and articles * 2 > uses else ''}{name}", _lead(name, title, text))


def _is_name(name: str, title: str, text: str, language: str, ordinary: frozenset[str]) -> bool:
    """Return whether a word of a title is a proper name: capitals or digits, and nowhere in small letters."""
    words = [word for word in re.findall(r"[\w’'-]+", name) if word.casefold() not in PLACE_WORDS]
    if language == "de":
        return re.search(r"\d|[A-ZÄÖÜ][\wäöüß-]+ [A-ZÄÖÜ]|[a-zäöüß][A-ZÄÖÜ]", name) is not None
    named = " " in name or re.search(r".[A-ZÀ-Þ]", name) or _SOFTWARE.search(title)
    for word in words:
        inside = named or re.search(rf"[a-z,] {re.escape(word)}\b", text)
        if re.search(r"\d", word) or (word[0].isupper() and word.casefold() not in ordinary and inside):
            return True
    return False


def _lead(name: str, title: str, text: str) -> str:
    """Return "at" for a place or an organisation, else the preposition that the document uses, if any."""
    if {word.casefold() for word in re.findall(r"\w+", name)} & PLACE_WORDS or (
        _ORGANISATION.search(title) and not re.search(r"\d", name)
    ):
        return "at"
    if _SOFTWARE.search(title):
        return "in"
    found = Counter(re.findall(rf"\b(with|on|in|at) (?:the |your )?{re.escape(name)}\b", text))
    usual = found.most_common(1)[0][0] if found else ""
    return usual if usual == "at" or re.search(r"\d", name) else ""
