"""Patterns of sentences that state a fact, by language, with the question that each answers."""

import re
from typing import NamedTuple

from ragstone.drafts.facts.fact import FactForm


class SentencePattern(NamedTuple):
    """A form of sentences.

    Attributes:
        form: the form of the facts.
        text: matches a whole sentence; its groups are `x`, the subject, `value`, and those that the wordings name.
        question: the wording of the question; empty for an attribute.
        attribute: the wording of the attribute.
    """

    form: FactForm
    text: re.Pattern[str]
    question: str
    attribute: str = ""


def _compiled(form: FactForm, text: str, question: str, attribute: str = "") -> SentencePattern:
    return SentencePattern(form, re.compile(text), question, attribute)


_X = r"(?P<x>(?:`[^`]{1,60}`|[^,;:.!?()|`]){2,60}?)"
_N = r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety)"
_SPAN = rf"(?:(?:up to|about|at least|at most|no more than|a maximum of) )?{_N}(?: (?:to|or|and|–) {_N})?(?: (?:working|business|calendar|full))? (?:second|minute|hour|day|night|week|month|year)s?"
_EN_MONEY = r"(?:only |about )?(?:[€$£]\s?\d[\d.,]*|\d[\d.,]* ?(?:million |thousand )?(?:euros?|dollars?|pounds?|francs?|cents?|EUR|USD|GBP|€))"
_TAIL = (
    r"(?P<tail> (?:of|after|before|from|if|when|unless|plus|including|a|per|each|in|at) [^.,;!?()]{1,60})?"
)
_END = _TAIL + r"(?:[,;] [^.!?]*)?\."

PATTERNS: dict[str, tuple[SentencePattern, ...]] = {
    "en": (
        _compiled("attribute", rf"The (?P<attribute>[a-z][a-z -]{{2,30}}?) (?:of|for) {_X} (?:is|was|are|were) (?P<value>[^;:!?()]{{1,80}}?)\.", ""),
        _compiled("attribute", rf"{_X} has (?:a|an) (?P<attribute>[a-z][a-z ]{{2,24}}?) of (?P<value>[^;:!?()]{{1,80}}?)\.", ""),
        _compiled("sentence", rf"{_X} (?P<verb>may|can|must|should|will)(?P<rest> (?:be )?[a-z]+(?: [^.,;:!?()]{{1,50}}?)?) for (?P<value>{_SPAN}){_END}", "How long {verb} {x}{rest}?", "{rest}"),
        _compiled("sentence", rf"{_X} (?P<verb>may|can|must|should|will)(?P<rest> (?:be )?[a-z]+(?: [^.,;:!?()]{{1,50}}?)?) within (?P<value>{_SPAN}){_END}", "How soon {verb} {x}{rest}?", "{rest}"),
        _compiled("sentence", rf"{_X} (?P<verb>may|can|must)(?P<rest> [a-z]+) up to (?P<value>{_N} (?P<unit>(?!euro|dollar|pound)[a-z]+))(?P<more>(?: (?:at|per|a|each|in|on|from) [a-z ]+)?){_END}", "How many {unit} {verb} {x}{rest}{more}?", "{rest}"),
        _compiled("sentence", rf"{_X} (?P<cost>costs?) (?P<value>{_EN_MONEY}){_END}", "How much {does} {x} cost?", "cost"),
        _compiled("sentence", rf"{_X} (?P<verb>open|close|start|end|depart|arrive|leave|begin)s? (?P<value>at (?:\d{{1,2}}(?:[:.]\d{{2}})?(?: ?[ap]\.?m\.?)?|noon|midnight)\b[^.;]{{0,40}})\.", "When {does} {x} {verb}?"),
        _compiled("sentence", rf"{_X} takes? (?P<value>{_SPAN}){_END}", "How long {does} {x} take?", "take"),
        _compiled("sentence", rf"{_X} lasts? (?P<value>{_SPAN}){_END}", "How long {does} {x} last?", "last"),
        _compiled("sentence", rf"{_X} (?P<be>is|are) (?P<value>(?:about )?\d[\d.,]* (?:metres|meters|m|km|kilometres|cm|feet|miles)) (?P<verb>long|wide|high|tall|deep|thick)\b[^.;]*\.", "How {verb} {be} {x}?", "{verb}"),
        _compiled("sentence", rf"{_X} was (?P<verb>designed|founded|built|written|painted|invented|discovered|composed) by (?P<value>(?=[^.]*[A-Z])[^.,;()]{{3,60}}?)(?: in \d{{4}})?\.", "Who {verb} {x}?", "{verb}"),
        _compiled("sentence", rf"{_X} weighs (?P<value>(?:about )?\d[\d.,]* ?(?:kg|kilograms?|g|grams?|tonnes?|pounds?)){_END}", "How much does {x} weigh?", "weigh"),
        _compiled("sentence", rf"{_X} (?P<be>was|were) (?P<verb>founded|opened|built|born|launched|published|introduced|restored|invented|painted|completed) in (?P<value>(?:[A-Z][a-z]+ )?\d{{4}})\b[^.]*\.", "When {be} {x} {verb}?", "{verb}"),
        _compiled("sentence", r"(?P<x>(?:The |An? )?[^,;:.!?()|`]{2,40}? (?:of|in|for) [^,;:.!?()|`]{2,30}?|(?:The )?[A-Z][\w’'-]+ [A-Z][^,;:.!?()|`]{1,40}?|The [a-z]+ [a-z]+) (?P<be>is|are) (?:located|situated|kept|stored|on display|shown) (?P<value>(?:in|on|at|near|behind|next to) [^.;:]{4,80})\.", "Where {be} {x}?", "located"),
        _compiled("sentence", rf"{_X} (?P<verb>has|holds|employs|seats|contains) (?P<value>(?:about |more than )?{_N} (?P<unit>(?:[a-z]+ )?[a-z]+s))\b(?:(?! and | or | but | plus )[^.;:]){{0,60}}\.", "How many {unit} does {x} {base}?", "{unit}"),
        _compiled("sentence", r"(?:(?:The|Option|Command|Metric|Function|Class) (?:[a-z]+ )?)?(?P<x>`[^`=/…\s\[:]{1,60}`) (?P<verb>prints|writes|removes|creates|deletes|sets|starts|stops|shows|sends|counts|repeats|limits|reuses|adds|restarts|exports) (?P<value>[^.]{12,220}(?:\.\w[^.]{0,80})?)\.", "What does {x} do?"),
        _compiled("sentence", r"(?P<x>`[^`=/…\s\[:]{1,60}`) (?:holds|lists) (?P<value>[^.]{12,220}(?:\.\w[^.]{0,80})?)\.", "What does {x} contain?", "contain"),
        _compiled("sentence", r"(?:(?:The|Function|File) (?:[a-z]+ )?)?(?P<x>`[^`=/…\s\[:]{1,60}`) (?P<verb>contain|return|read|measure)s (?P<value>[^.]{12,220}(?:\.\w[^.]{0,80})?)\.", "What does {x} {verb}?", "{verb}"),
        _compiled("definition", r"(?P<x>(?:An? [\w-]+(?: (?!in\b|of\b|with\b|for\b|on\b)[\w-]+){0,2}?)|`[^`=/\s\[:]{1,60}`|(?:The )?[A-Z][\w-]+(?: [A-Z\d][\w-]*){0,3}(?: [a-z-]+){0,2}) is (?P<value>(?:an?|the) [^.]{12,240})\.", "What is {x}?"),
    ),
    "de": (
        _compiled("attribute", rf"(?P<article>Der|Die|Das) (?P<attribute>[A-ZÄÖÜ][\wäöüß-]{{2,30}}) von {_X} (?:ist|war|beträgt|lautet|liegt bei) (?P<value>[^;:!?()]{{1,80}}?)\.", ""),
        _compiled("sentence", rf"{_X} kostet (?P<value>\d[\d.,]* ?(?:Euro|€|Franken)[^.;]{{0,30}})\.", "Wie viel kostet {x}?", "kostet"),
        _compiled("sentence", rf"{_X} wurde (?:im Jahr )?(?P<value>\d{{4}}) (?P<verb>gegründet|eröffnet|gebaut|geboren|veröffentlicht)\b[^.]*\.", "Wann wurde {x} {verb}?", "{verb}"),
        _compiled("sentence", rf"{_X} (?P<verb>öffnet|schließt|beginnt|endet) (?P<value>um \d{{1,2}}(?:[:.]\d{{2}})? Uhr)\b[^.]*\.", "Wann {verb} {x}?"),
        _compiled("sentence", rf"{_X} dauert (?P<value>(?:etwa |bis zu )?[\w.,]+ (?:Minuten?|Stunden?|Tage?|Wochen?|Monate?|Jahre?))\b[^.]*\.", "Wie lange dauert {x}?"),
        _compiled("definition", r"(?P<x>[A-ZÄÖÜ][\wäöüß-]+(?: [A-ZÄÖÜ0-9][\wäöüß-]*){0,3}) ist (?P<value>eine? [^.]{12,240})\.", "Was ist {x}?"),
    ),
    "fr": (
        _compiled("attribute", rf"(?P<article>Le |La |L['’])(?P<attribute>[a-zéèêàùç][a-zéèêàùç -]{{2,30}}?) (?:de |d['’]){_X} est (?:de |d['’])?(?P<value>[^;:!?()]{{1,80}}?)\.", ""),
        _compiled("sentence", rf"{_X} coûte (?P<value>\d[\d.,]* ?(?:euros?|€|francs?)[^.;]{{0,30}})\.", "Combien coûte {x} ?", "coûte"),
        _compiled("sentence", rf"{_X} a été (?P<verb>fondée?|ouverte?|construite?|publiée?|née?) en (?P<value>\d{{4}})\b[^.]*\.", "Quand a été {verb} {x} ?", "{verb}"),
        _compiled("sentence", rf"{_X} (?P<verb>ouvre|ferme|commence) (?P<value>à \d{{1,2}} ?(?:h|heures)[^.;]{{0,20}})\.", "À quelle heure {verb} {x} ?"),
        _compiled("sentence", rf"{_X} dure (?P<value>(?:environ )?[\w.,]+ (?:minutes?|heures?|jours?|semaines?|mois|ans?))\b[^.]*\.", "Combien de temps dure {x} ?"),
        _compiled("definition", r"(?P<x>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ0-9][\w-]*){0,3}) est (?P<value>une? [^.]{12,240})\.", "Qu’est-ce que {x} ?"),
    ),
}  # fmt: skip

NUMBER, HEAD = _N, re.compile(r" (?:in|of|for|from|at|to|with|on) ")
"""A number with or without digits; what ends the head of a subject."""
