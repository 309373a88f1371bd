"""Facts stated by sentences, by the patterns of each language, with the question that the sentence answers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.drafts.facts.fact import POINTS_ELSEWHERE, Fact, FactForm
from ragstone.drafts.facts.source import FactSource
from ragstone.drafts.reading.markdown import list_items, plain_inline, prose
from ragstone.drafts.words import content_set


class SentencePattern(NamedTuple):
    """A form of sentences: `text` matches a whole one, its groups are `x`, `value` and those that the wordings name."""

    form: FactForm
    text: re.Pattern[str]
    question: str
    attribute: str = ""


def _compiled(form: FactForm, text: str, question: str, attribute: str = "") -> SentencePattern:
    return SentencePattern(form, re.compile(text), question, attribute)


_X = r"(?P<x>(?:`[^`]{1,60}`|[^,;:.!?()|`]){2,60}?)"
_N = r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety)"
_SPAN = rf"(?:(?:up to|about|at least|at most|no more than|a maximum of) )?{_N}(?: (?:to|or|and|–) {_N})?(?: (?:working|business|calendar|full))? (?:second|minute|hour|day|night|week|month|year)s?"
_EN_MONEY = r"(?:only |about )?(?:[€$£]\s?\d[\d.,]*\d|\d[\d.,]* ?(?:million |thousand )?(?:euros?|dollars?|pounds?|francs?|cents?|EUR|USD|GBP|€))"
_TAIL = (
    r"(?P<tail> (?:of|after|before|from|if|when|unless|plus|including|a|per|each|in|at) [^.,;!?()]{1,60})?"
)
_END = _TAIL + r"(?:[,;] [^.!?]*)?\."
_EN_NOUNS = r"(?:price|cost|fee|fare|weight|height|width|length|depth|diameter|speed|capacity|deadline|deposit|duration|temperature|volume|warranty|population)"
_DE_NOUNS = (
    r"(?:Preis|Gebühr|Miete|Kaution|Gewicht|Länge|Breite|Höhe|Garantie|Volumen|Dauer|Temperatur|Leistung)"
)
_FR_NOUNS = r"(?:prix|poids|volume|diamètre|délai|montant|loyer|taille|hauteur|largeur|longueur|durée|garantie|capacité|puissance|température|caution)"

PATTERNS: dict[str, tuple[SentencePattern, ...]] = {
    "en": (
        _compiled("attribute", rf"The (?P<attribute>(?:[a-z]+ )?{_EN_NOUNS}) (?:of|for) {_X} (?:is|was) (?P<value>[^;:!?()]{{1,60}}?)\.", "What is the {attribute} of {x}?", "{attribute}"),
        _compiled("attribute", rf"{_X} has an? (?P<attribute>(?:[a-z]+ )?{_EN_NOUNS}) of (?P<value>[^;:!?()]{{1,60}}?)\.", "What is the {attribute} of {x}?", "{attribute}"),
        _compiled("sentence", rf"{_X} (?P<verb>may|can|must|should|will)(?P<rest> (?:be )?[a-z]+(?: [^.,;:!?()]{{1,50}}?)?) for (?P<value>{_SPAN}){_END}", "How long {verb} {x}{rest}?", "{rest}"),
        _compiled("sentence", rf"{_X} (?P<verb>must|should|will)(?P<rest> be [a-z]+(?: [^.,;:!?()]{{1,50}}?)?) within (?P<value>{_SPAN})(?P<tail> (?:after|from) [^.,;!?()]{{1,60}})?\.", "How soon {verb} {x}{rest}?", "{rest}"),
        _compiled("sentence", rf"{_X} (?P<verb>may|can|must)(?P<rest> [a-z]+) up to (?P<value>{_N} (?P<unit>(?!euro|dollar|pound)[a-z]+s))(?P<more>(?: (?:at|per|a|each|in|on|from) [a-z ]+)?){_END}", "How many {unit} {verb} {x}{rest}{more}?", "{rest}"),
        _compiled("sentence", rf"{_X} (?P<cost>costs?) (?P<value>{_EN_MONEY}){_END}", "How much {does} {x} cost?", "cost"),
        _compiled("sentence", rf"{_X} takes? (?P<value>{_SPAN}){_END}", "How long {does} {x} take?", "take"),
        _compiled("sentence", rf"{_X} lasts? (?P<value>{_SPAN}){_END}", "How long {does} {x} last?", "last"),
        _compiled("sentence", rf"{_X} (?P<be>is|are) (?P<value>(?:about )?\d[\d.,]* (?:metres|meters|m|km|kilometres|cm|feet|miles)) (?P<verb>long|wide|high|tall|deep|thick)\b[^.;]*\.", "How {verb} {be} {x}?", "{verb}"),
        _compiled("sentence", rf"{_X} was (?P<verb>designed|founded|built|written|painted|invented|discovered|composed) by (?P<value>(?=[^.]*[A-Z])[^.,;()]{{3,60}}?)(?: in \d{{4}})?\.", "Who {verb} {x}?", "{verb}"),
        _compiled("sentence", rf"{_X} weighs (?P<value>(?:about )?\d[\d.,]* ?(?:kg|kilograms?|g|grams?|tonnes?|pounds?)){_END}", "How much does {x} weigh?", "weigh"),
        _compiled("sentence", rf"{_X} (?P<be>was|were) (?P<verb>founded|opened|built|born|launched|published|introduced|restored|invented|painted|completed) in (?P<value>(?:[A-Z][a-z]+ )?\d{{4}})\b[^.]*\.", "When {be} {x} {verb}?", "{verb}"),
        _compiled("sentence", r"(?:(?:The|Option|Command) (?:[a-z]+ )?)?(?P<x>`(?:--\w{4}|\w+[ _.-])[^`=/…\s\[:]{1,60}`) (?P<verb>prints|writes|removes|creates|deletes|sets|starts|stops|shows|sends|limits|reuses|adds|restarts|exports) (?P<value>[^.]{12,220}(?:\.\w[^.]{0,80})?)\.", "What does {x} do?"),
        _compiled("sentence", r"(?P<x>`\w+[_.-][^`=/…\s\[:]{1,60}`) (?:holds|contains|lists) (?P<value>[^.]{12,220}(?:\.\w[^.]{0,80})?)\.", "What does {x} contain?", "contain"),
        _compiled("definition", r"(?P<x>(?:An? [\w-]+(?: (?!in\b|of\b|with\b|for\b|on\b)[\w-]+){0,2}?)|[A-Z][\w-]+(?: [A-Z\d][\w-]*){0,3}(?: [a-z-]+){0,2}) is (?P<value>(?:an?|the) [^.]{12,240})\.", "What is {x}?"),
    ),
    "de": (
        _compiled("attribute", rf"(?P<article>Der|Die|Das) (?P<attribute>{_DE_NOUNS}) von {_X} (?:ist|war|beträgt|liegt bei) (?P<value>[^;:!?()]{{1,60}}?)\.", "Wie hoch ist {the} {attribute} von {x}?", "{attribute}"),
        _compiled("sentence", rf"{_X} kostet (?P<value>\d[\d.,]* ?(?:Euro|€|Franken)(?: (?:pro|im|je) \w+)?)(?: [^.;]*)?\.", "Wie viel kostet {x}?", "kostet"),
        _compiled("sentence", rf"{_X} wurde (?:im Jahr )?(?P<value>\d{{4}}) (?P<verb>gegründet|eröffnet|gebaut|geboren|veröffentlicht)\b[^.]*\.", "Wann wurde {x} {verb}?", "{verb}"),
        _compiled("sentence", rf"{_X} dauert (?P<value>(?:etwa |bis zu )?[\w.,]+ (?:Minuten?|Stunden?|Tage?|Wochen?|Monate?|Jahre?))\b[^.]*\.", "Wie lange dauert {x}?"),
    ),
    "fr": (
        _compiled("attribute", rf"(?P<article>Le |La )(?P<attribute>{_FR_NOUNS}) (?:de |d['’]){_X} est (?:de |d['’])?(?P<value>[^;:!?()]{{1,60}}?)\.", "{which} est {the} {attribute} {of}{x} ?", "{attribute}"),
        _compiled("sentence", rf"{_X} coûte (?P<value>\d[\d ,  ]* ?(?:euros?|€|francs?)(?: par \w+)?)(?: [^.;]*)?\.", "Combien coûte {x} ?", "coûte"),
        _compiled("sentence", rf"{_X} a été (?P<verb>fondée?|ouverte?|construite?|publiée?|née?) en (?P<value>\d{{4}})\b[^.]*\.", "Quand a été {verb} {x} ?", "{verb}"),
        _compiled("sentence", rf"{_X} dure (?P<value>(?:environ )?[\w.,]+ (?:minutes?|heures?|jours?|semaines?|mois|ans?))\b[^.]*\.", "Combien de temps dure {x} ?"),
    ),
}  # fmt: skip

NUMBER, HEAD = _N, re.compile(r" (?:in|of|for|from|at|to|with|on) ")
"""A number with or without digits; what ends the head of a subject."""

VAGUE_SUBJECT = re.compile(
    r"(?:it|this|that|these|those|there|they|he|she|we|you|i|each|every|all|both|one|some|any|which|what|here|such|its|their|"
    r"his|her|our|your|es|er|sie|wir|dies\w*|jede[rs]?|man|il|elle|on|ce\w*|nous|vous|if|when|where|while|as|so|but|and|or|"
    r"with|without|for|in|on|at|by|from|to|after|before|not|no|only|also|because|whether|then|both)\b|.*\b(?:it|they|its|their|this|"
    r"that|these|those|which|who|above|below|here|same|other)\b|"
    r"(?:an? )?(?:new|unused|remaining|additional|other|further|second|good|bad|single|own|different|missing)\b|[A-Z][a-z]+ing$",
    re.IGNORECASE,
)
"""Matches a subject that is not understood without the text around it."""

SECOND_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|may|can|must|should|will|does|do|ist|sind|hat|est|sont)\b|"
    r"\b(?:and|or|for|of|in|on|to|at|by|with|from|the|an?|und|oder|et|ou|de)$"
)
"""Matches a subject that is no noun alone."""

RELATIVE_VALUE = re.compile(
    r"(?:that|this|these|those|what|whatever|it|they|not|also|only|still|then|as|one of|the (?:same|only|first|second|"
    r"last|other|most|best|right|reason|result|case|point|way|part|number|name|difference)|[a-z]+ed|(?:an?|the) (?:first|ideal|best|main|key|core|default|only|next)\b|an? "
    r"(?:good|great|nice|common|typical|useful|simple|easy|perfect|popular|few|lot|bit|little|kind|sort|matter|must|way))\b",
    re.IGNORECASE,
)
"""Matches a value that describes nothing by itself."""


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
    bare = source.language == "en" and re.fullmatch(r"The [a-z-]+", subject)
    if bare and small in source.complete(question):
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
        (heading,) = source.passage.headings[-1:] or ("",)
        short = len(heading.split()) <= _MAX_SUBJECT_WORDS
        return short and content_set(subject) <= content_set(heading)
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
    wording, tail = pattern.question, groups.get("tail", "")
    several = re.search(r"(?<![su'’i])s$", HEAD.split(groups["x"])[0])
    article = groups.get("article", "").lower()
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
