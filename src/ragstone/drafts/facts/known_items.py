"""Search words that name a section: its headings, after the name of what the documents are about."""

import re

from ragstone.drafts.facts.query import is_term, search_words
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.facts.words import GENERIC_TITLE, GERUNDS, PLAIN_HEADING, TASK_VERBS
from ragstone.drafts.text.words import content_set

NUMBERING = re.compile(r"^\d+(?:\.\d+)*[.)]?\s+")
_CODE = re.compile(r"\w[_.]\w|--\w|\w-\w+-\w")
_FRENCH_VERB = re.compile(
    r"(?:s['’])?(?:[a-zà-ÿ]+(?:er|ir)|faire|mettre|prendre|rendre|écrire|lire|suivre|produire|comprendre)\b",
    re.IGNORECASE,
)
_MOST_HEADING_WORDS, _MOST_TITLE_WORDS, _MOST_WORDS = 5, 3, 6


def section_query(source: FactSource, heading: str) -> str | None:
    """Return search words for a section; None if its heading says little, or needs the text around it.

    The title and the headings above it belong to the query.
    """
    topic, said = source.topic, content_set(heading)
    if topic is None or not _is_searched(heading, source.language):
        return None
    code = _CODE.search(heading) is not None
    verb = heading.split(maxsplit=1)[0].casefold()
    told = (verb in TASK_VERBS or verb in GERUNDS) and not (topic.is_name or source.is_part)
    if told or not (code or _is_worded(source, said)):
        return None  # "Use a password manager" is no name of anything
    above = _above(source, code=code, words=len(said))
    if above is None or said <= content_set(" ".join(above)):
        return None
    if source.is_part and not source.product_before(heading):
        above = []  # "ragstone gate" on the page "Command line"
    own = (
        above[:1] if not source.is_part else []
    )  # "Information security policy", which alone names its sections
    repeated = [
        one for one in above if content_set(one) & said and (one not in own or content_set(one) <= said)
    ]
    named = [one for one in above if one and one not in repeated]
    product = source.product_before(" ".join((*named, heading)))
    length = len(content_set(" ".join((product, *named, heading)))) + (source.depth > 1 and not code)
    return search_words(source.language, product, *named, heading) if length <= _MOST_WORDS else None


def _is_worded(source: FactSource, said: frozenset[str]) -> bool:
    """Return whether a heading names its section in words that a reader knows: those of its text, or those of a form.

    The headings of a document that is about a name of its own, such as a library, are taken as they are.
    """
    own = source.topic is not None and source.topic.is_name and not source.topic.whole
    used = len(said & content_set(source.text)) * 3 >= len(said) * 2
    if len(said) == 1:
        return own or used or source.is_form or not source.is_part
    return (own or used) and not source.is_form


def _is_searched(heading: str, language: str) -> bool:
    verb = language == "fr" and _FRENCH_VERB.match(heading)
    plain = PLAIN_HEADING.fullmatch(heading) or re.search(r"[,/]", heading)
    return not (verb or plain) and is_term(heading, _MOST_HEADING_WORDS)


def _above(source: FactSource, *, code: bool, words: int) -> list[str] | None:
    """Return the title and the headings between it and the section; None if they cannot be typed before it."""
    headings, topic = [NUMBERING.sub("", one) for one in source.passage.headings], source.topic
    between = [] if code else headings[len(headings) - source.depth : -1]
    if any(one.endswith("?") or PLAIN_HEADING.fullmatch(one) for one in between):
        return None
    if topic and topic.is_own:
        return [topic.searched, *between]
    title = GENERIC_TITLE.sub("", NUMBERING.sub("", source.title)).strip()
    task = words > 1 and is_term(title, _MOST_TITLE_WORDS) and len(title.split()) <= _MOST_TITLE_WORDS
    return [title] if (task or not title) and not between else None
