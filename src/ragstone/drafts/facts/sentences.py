"""Facts stated by sentences, by the patterns of each language: "The price of X is 5 euros", "X was founded in 1900"."""

import re
from collections.abc import Iterator

from ragstone.drafts.facts.blocks import prose
from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact, FactForm, points_back
from ragstone.drafts.reading.markdown import plain_inline

_SUBJECT = r"(?P<subject>(?:`[^`]+`|[^,;:.!?()|`]){2,70}?)"
_VALUE = r"(?P<value>[^;:!?()]{1,80}?)"
_YEAR = r"(?P<value>(?:[\w.]+ ){0,2}\d{4})"
_NUMBER = r"(?P<value>\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"

_PATTERNS: dict[str, tuple[tuple[FactForm, str], ...]] = {
    "en": (
        ("attribute", rf"The (?P<attribute>[a-z][a-z -]{{2,30}}?) of {_SUBJECT} (?:is|was|are|were) {_VALUE}\."),
        ("attribute", rf"{_SUBJECT} has (?:a|an) (?P<attribute>[a-z][a-z ]{{2,24}}?) of {_VALUE}\."),
        ("year", rf"{_SUBJECT} was (?P<attribute>founded|opened|built|born|launched|published|introduced) in {_YEAR}\b[^.]*\."),
        ("count", rf"{_SUBJECT} (?P<verb>takes|has|holds|contains|needs|uses|requires|allows|employs) {_NUMBER} (?P<attribute>[a-z]+s)\b[^.;:]{{0,60}}\."),
        ("action", r"(?:(?:The|Option|Command|Metric|Function|Class) (?:[a-z]+ )?)?(?P<subject>`[^`]+`) (?P<verb>[a-z]{2,14}[^s\W]s) (?P<value>[^.]{12,260}(?:\.\w[^.]*)*)\."),
        ("definition", r"(?P<subject>(?:An? (?:`[^`]+`|[\w-]+)(?: [\w-]+){0,2}?)|`[^`]+`|[A-Z][\w-]+(?: [A-Z][\w-]+){0,3}) is (?P<value>(?:an?|the) [^.]{12,240})\."),
    ),
    "de": (
        ("attribute", rf"(?P<article>Der|Die|Das) (?P<attribute>[A-ZÄÖÜ][\wäöüß-]{{2,30}}) von {_SUBJECT} (?:ist|war|beträgt|lautet|liegt bei) {_VALUE}\."),
        ("year", rf"{_SUBJECT} wurde {_YEAR} (?P<attribute>gegründet|eröffnet|gebaut|geboren|veröffentlicht)\b[^.]*\."),
        ("definition", r"(?P<subject>[A-ZÄÖÜ][\wäöüß-]+(?: [A-ZÄÖÜ0-9][\wäöüß-]*){0,3}) ist (?P<value>eine? [^.]{12,240})\."),
    ),
    "fr": (
        ("attribute", rf"(?P<article>Le |La |L['’])(?P<attribute>[a-zéèêàùç][a-zéèêàùç -]{{2,30}}?) (?:de |d['’]){_SUBJECT} est (?:de |d['’])?{_VALUE}\."),
        ("year", rf"{_SUBJECT} a été (?P<attribute>fondée?|ouverte?|construite?|publiée?|née?) en {_YEAR}\b[^.]*\."),
        ("definition", r"(?P<subject>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ0-9][\w-]*){0,3}) est (?P<value>une? [^.]{12,240})\."),
    ),
}  # fmt: skip
_COMPILED_PATTERNS: dict[str, tuple[tuple[FactForm, re.Pattern[str]], ...]] = {
    code: tuple((form, re.compile(text, re.UNICODE)) for form, text in patterns)
    for code, patterns in _PATTERNS.items()
}
_VAGUE_SUBJECT = re.compile(
    r"(?:it|this|that|these|those|there|they|he|she|we|you|i|each|every|all|both|one|some|any|which|what|here|such|its|their|"
    r"his|her|our|your|es|er|sie|wir|dies\w*|jede[rs]?|man|il|elle|on|ce\w*|nous|vous|if|when|where|while|as|so|but|and|or|"
    r"with|without|for|in|on|at|by|from|to|after|before|not|no|only|also|because|whether|then|both)\b|.*\b(?:it|they|its|"
    r"their|this|that|these|those|which|who|above|below|here|same|other)\b",
    re.IGNORECASE,
)
_VAGUE_ATTRIBUTE = frozenset(
    """rest result results reason reasons idea point aim goal purpose end beginning part parts order way use cost kind
    question answer example text list name names same first second third last next other difference""".split()
)
_RELATIVE_VALUE = re.compile(
    r"(?:that|this|these|those|what|whatever|it|they|not|also|only|still|then|as|one of|the same|[a-z]+ed)\b",
    re.IGNORECASE,
)
_PASSING_SUBJECT = re.compile(
    r"(?:an? )?(?:new|other|further|second|good|bad|single|own|different|missing)\b", re.IGNORECASE
)
"""Subjects that have a meaning only in their sentence: "a new section"."""

_SECOND_SUBJECT = re.compile(r"(?:(?<!`),|;) (?:and |but )?`[^`]+` (?!and\b|or\b)[\w“(`]")
"""The place where a sentence continues with another subject: "reuses answers, and `--offline` replays them"."""

_VAGUE_VERBS = frozenset({"applies", "belongs", "comes", "exists", "goes", "remains", "stays", "works"})
"""Verbs that say little about a subject."""

_ACTIVITY_SUBJECT = re.compile(r"[A-Z][a-z]+ing")
"""Subjects that are activities: "Storing takes 2 ms"."""

_MIN_DESCRIPTION_CHARS = 12
_MAX_SUBJECT_WORDS = 7


def sentence_facts(index: int, text: str, language: str) -> Iterator[Fact]:
    """Yield the facts from the sentences of a passage; none for a language without patterns."""
    patterns = _COMPILED_PATTERNS.get(language, ())
    for start, end in prose(text) if patterns else ():
        plain = plain_inline(" ".join(text[start:end].split()))
        for form, pattern in patterns:
            match = pattern.fullmatch(plain)
            if match and (fact := _fact(form, match, index, (start, end))):
                yield fact
                break


def _fact(form: FactForm, match: re.Match[str], index: int, span: tuple[int, int]) -> Fact | None:
    groups = match.groupdict()
    subject, value = groups["subject"].strip(), groups["value"].strip()
    attribute = (groups.get("attribute") or "").strip()
    if (
        _VAGUE_SUBJECT.match(subject)
        or _ACTIVITY_SUBJECT.fullmatch(subject)
        or len(subject.split()) > _MAX_SUBJECT_WORDS
        or _RELATIVE_VALUE.match(value)
    ):
        return None
    if form in ("action", "definition"):
        value = _SECOND_SUBJECT.split(value)[0]
        if points_back(value) or _PASSING_SUBJECT.match(subject) or len(value) < _MIN_DESCRIPTION_CHARS:
            return None
    if POINTS_ELSEWHERE.search(value) or (form in ("action", "definition") and _is_plain_word(subject)):
        return None
    if form == "attribute" and (attribute in _VAGUE_ATTRIBUTE or not _is_definite(subject)):
        return None
    if form == "action":
        if groups["verb"] in _VAGUE_VERBS:
            return None
        attribute = "mean" if groups["verb"] == "means" else "do"
        value = f"{groups['verb']} {value}"
    if form == "count":
        attribute, value = f"{attribute} {groups['verb']}", f"{value} {attribute}"
    return Fact(form, index, span, subject, attribute, value, (groups.get("article") or "").strip())


def _is_plain_word(subject: str) -> bool:
    """Return whether a subject is one plain word without underscore or inner capital, such as `run`."""
    return bool(re.fullmatch(r"[^\W_]+", subject.strip("`"))) and not re.search(r"[a-z][A-Z]", subject)


def _is_definite(subject: str) -> bool:
    """Return whether a subject is definite: it has a capital, a digit or code, or does not begin with an article."""
    return bool(re.search(r"[A-ZÀ-Þ`\d]", subject)) or not re.match(r"(?:the|a|an)\b", subject)
