"""Tasks: headings that tell what to do, such as "Send an item back", as questions."""

import re

from ragstone.drafts.facts.words import CLAUSE, GERUNDS, NOUN_VERBS, POINTS_BACK, TASK_VERBS, in_small, lower
from ragstone.text.sentences import sentences

_STEP = re.compile(r"[ \t]*(?:[-*]|\d+[.)]|```)", re.MULTILINE)
_JOINING = re.compile(
    r"(?:and|or|how|whether|if|that|when|which|out|as|to|with|from|in|on|up|off|into|by|for)\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:an?|the|my|your|multiple)\b|`", re.IGNORECASE)
_PLURAL = re.compile(
    r"(?:(?!in |of |for |from |at |to |with |on |by )\S+ )*?\S+[^\Wsui]s(?: (?:in|of|for|from|at|to|with|on|by) .*|$)"
)
_GERMAN = re.compile(r"[A-ZÄÖÜ].* [a-zäöüß]+(?:en|ern|eln)")
_FRENCH = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]{2,}(?:er|ir|re) (?:l[ea]s?|une?|des|son|sa|ses|l['’])\b.*")
_COMMANDS = TASK_VERBS | {"go", "hold", "leave", "wait", "rinse", "turn", "close", "first,", "install"}
_POINTING = re.compile(
    r"(?:see|read|refer|siehe|voir|now|this|that|these|those|it|its|then|next|finally|also|instead|another|as|such|here|both|again)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 6


def task_question(heading: str, text: str, language: str, ordinary: frozenset[str]) -> str | None:
    """Return the question for a heading that names a task, if the text of its section tells how."""
    plain = 1 < len(heading.split()) <= _MOST_WORDS and not re.search(r"[:;?!(/]|, ", heading)
    if not plain or POINTS_BACK.search(heading) or _POINTING.match(text):
        return None
    if language == "en":
        return _english(heading, ordinary) if _is_instruction(text) else None
    if CLAUSE.search(heading) or not _STEP.search(text):
        return None
    if language == "de" and _GERMAN.fullmatch(heading):
        return f"Wie kann ich {lower(heading) if re.match(r'(?:Ein|D[aei])', heading) else heading}?"
    return f"Comment {lower(heading)} ?" if language == "fr" and _FRENCH.fullmatch(heading) else None


def _english(heading: str, ordinary: frozenset[str]) -> str | None:
    words = re.sub(r"^how to ", "", heading, flags=re.IGNORECASE).split()
    verb = GERUNDS.get(words[0].casefold(), words[0].casefold())
    if verb not in TASK_VERBS or len(words) == 1 or _JOINING.match(words[1]):
        return None
    if not _ARTICLE.match(words[1]) and (verb in NOUN_VERBS or not _PLURAL.match(" ".join(words[1:]))):
        return None
    rest = re.sub(r"\byour\b", "my", " ".join(words[1:]))
    return None if CLAUSE.search(rest.replace("my", "")) else f"How do I {verb} {in_small(rest, ordinary)}?"


def _is_instruction(text: str) -> bool:
    """Return whether a section tells what to do: a list, code, or a sentence that begins with a verb."""
    first = text[slice(*next(iter(sentences(text)), (0, 0)))]
    verb = first.split(" ")[0].casefold() if first else ""
    aimed = re.match(r"(?:To|If|For) [^.]*, (\w+)", first)
    said = re.search(r"\b[Yy]ou (?:can|must|need|may|should)\b", first)
    return bool(_STEP.search(text) or verb in _COMMANDS or said or (aimed and aimed[1] in TASK_VERBS))
