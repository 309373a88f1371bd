"""Lists of words that the rules need: verbs of tasks, places, money, days, and words that any title may have."""

import re
from collections import Counter
from collections.abc import Iterable

from ragstone.drafts.words import content_words

MONEY = re.compile(
    r"(?:about |from |only |ab |à partir de )?(?:[€$£]\s?\d[\d.,]*|\d[\d.,  ]*(?:million |thousand )?(?:[€$£]|(?:euros?|eur|usd|gbp|chf|"
    r"dollars?|pounds?|francs?|franken|kr|cents?|pence)\b))(?: (?:per|a|an|each|pro|par|je|im|in the)\b.{0,30}| ?\(.{1,20}\))?",
    re.IGNORECASE,
)
"""Matches an amount of money."""

PRICE = re.compile(
    r"\b(?:prices?|costs?|fees?|fares?|charges?|rates?|preise?|preisliste|kosten|\w*gebühr(?:en)?|prix|tarifs?|frais)\b",
    re.IGNORECASE,
)
"""Matches a word that says that an amount is a price."""

AMOUNT = re.compile(
    r"\b(?:deposit|discount|refund|surcharge|allowance|limit|salary|wages?|total|tax|kaution|pfand|rabatt|zuschlag|gehalt|caution|remise)\b",
    re.IGNORECASE,
)
"""Matches the name of an amount that is not the price of a thing."""

PRICE_WORDS = {"en": "price", "de": "Preis", "fr": "prix"}

TIME_OF_DAY = re.compile(
    r"(?:at |um |à )?\d{1,2}(?: ?[:.h] ?\d{2}(?: Uhr)?|(?:[:.]\d{2})? ?(?:am|pm|a\.m\.|p\.m\.))",
    re.IGNORECASE,
)

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|(?:public |bank )?holidays)"
DAYS = {
    "en": re.compile(rf"{_DAY}(?:(?: to |–|-| and ){_DAY})?", re.IGNORECASE),
    "de": re.compile(r"(?:\w+tags?|Mittwoch|Sonnabend)(?:(?: bis |–|-| und )(?:\w+tags?|Mittwoch))?"),
    "fr": re.compile(
        r"(?:(?:du |le )?\w+di|dimanche)(?:(?: au |–|-| et )(?:\w+di|dimanche))?", re.IGNORECASE
    ),
}
"""Matches a day of the week, or a range of days, by language."""

HOURS = re.compile(r"[Oo]pening (?:hours|times)|[Öö]ffnungszeiten|[Hh]oraires(?: d['’]ouverture)?")


TASK_VERBS = frozenset(
    """activate add adjust apply annotate assemble assign attach authenticate avoid bake block book borrow bring build buy call cancel
    change charge check choose claim clean combine compare compile configure connect control convert cook correct create customize debug define delete
    deploy descale detect disable distribute download draft empty enable enter estimate evaluate explore export extend fill find fit fix format gate generate get guard
    handle hire implement import improve insert integrate interrupt inspect join keep learn limit link list load log look lower make manage measure merge migrate
    modify monitor move name open order override package parse pass pay pin place prepare press prevent print protect publish put raise
    read receive record register release remove rename renew rent repair repeat replace replay report request reserve reset restart resume
    return review roll rotate run save schedule score search select sell send serve set share ship show sign specify start stop
    store stream submit switch test trace transfer translate try tune turn unlock unpack update upgrade upload use validate
    verify view wash watch withdraw write""".split()
)

GERUNDS = {
    gerund: verb
    for verb in sorted(TASK_VERBS)
    for gerund in (f"{verb.removesuffix('e') if verb != 'see' else verb}ing", f"{verb}{verb[-1]}ing")
}
"""The verb of each gerund: "cleaning" is "clean", "fitting" is "fit"."""

NOUN_VERBS = frozenset(
    """block build change charge check claim control cook correct debug empty estimate exchange export filter fix format gate generate get guard handle hire import join keep limit link
    list load log look lower make move name open order package pass pay place print process put read record register release rent repair
    repeat replay report request restart return review roll run sample schedule score search set share ship show sign start stop store
    stream switch test trace transfer try tune turn update upgrade use view visit wash watch write""".split()
)
"""Verbs that may also be a noun or an adjective, or that say little: an article has to follow."""

PLACE_WORDS = frozenset(
    """academy airport archive association bakery bank bar bath café cafe centre center cinema clinic club college company
    council dentist estate foundation gallery garage gym hall hospital hostel hotel inn institute laundry library market museum
    nursery office park pharmacy pool pub restaurant school shop station store studio swimming theatre theater university
    workshop works zoo bistro brewery cycles bikes books farm garden gardens house kitchen ltd inc gmbh llc plc""".split()
)
"""Words in the names of places and organisations, where a question says "at"."""

GENERIC_TITLE = re.compile(
    r"""\b(?:frequently\ asked\ questions|questions\ and\ answers|faqs?|q\ ?&\ ?a|(?:(?:user|owner|employee|staff|visitor|reader|
    member|student|instruction|service)['’]?s?['’]?\ )?(?:handbook|manual|guide|rules|information|regulations)|user|employee|
    (?:price|tariff)s?(?:\ list)?|rates|fees|(?:summer|winter|timetable)|schedule|opening\ (?:hours|times)|info|
    documentation|docs|api|rest|reference|overview|introduction|quick ?start|getting\ started|tutorial|index|home|readme|welcome|
    instructions|terms(?:\ and\ conditions)?|recipe|recipes|services|contact|help|support|news|press\ release|glossary|changelog|
    at\ a\ glance|your\ visit|visit|visiting|and\ (?:prices|times)|for\ (?:readers|visitors|customers|staff|employees|members)|
    effective|from|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d|
    (?:fiche|chapter|part|step|section|adr|kapitel|teil|chapitre|no|n°|version)\ ?(?:n°\ ?)?\d+|
    häufige\ fragen|preisliste|preise|handbuch|anleitung|bedienungsanleitung|fahrplan|öffnungszeiten|hausordnung|
    benutzungsordnung|questions\ fréquentes|tarifs?|manuel|mode\ d['’]emploi|horaires|règlement)$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Matches the end of a title that any document may have, and that says nothing about its subject."""

CLAUSE = re.compile(
    r"\b(?:an?d? if|when|after|before|that|who|because|while|until|is|are|was|were|be|can|will|must|should|do|does|has|have|how|what|where|why|which|"
    r"comment|pourquoi|quand|quel\w*|wie|warum|wer|wann|wo|welche\w*|"
    r"our|your|my|we|you|i|it|its|their|this|these|those|here|ist|sind|wird|werden|kann|unser\w*|ihr\w*|dein\w*|wir|"
    r"est|sont|sera|peut|notre|nos|votre|vos|nous|vous|ce|cette|ces)\b",
    re.IGNORECASE,
)
"""Matches the words of a clause, or of a text that speaks to its reader: what search words do not have."""

POINTS_BACK = re.compile(
    r"\b(?:it|its|them|they|this|that|these|those|yourself|here|others?|above|below|same|so|dies\w*|davon|cela|ceci|ce)\b",
    re.IGNORECASE,
)
"""Matches words in a heading or a question that refer to the text around it."""

QUESTION_WORD = re.compile(
    r"(?:what|who|when|where|why|how|which|can|could|do|does|did|is|are|am|will|would|should|must|may|has|have|was|wer|wann|"
    r"wo|wie|warum|welche\w*|kann|darf|muss|gibt|ist|sind|werden?|wird|brauche|hat|haben|quel\w*|qui|où|quand|comment|"
    r"pourquoi|combien|est-ce|puis-je|peut-on|faut-il|que|qu['’]est-ce|y a-t-il|dois-je|à|en|l[ea]s? [^()*]*-(?:ils?|elles?))\b",
    re.IGNORECASE,
)
"""Matches the first word of a question, in three languages."""

PLAIN_HEADING = re.compile(
    r"(?:overview|introduction|summary|examples?|notes?|(?:see|read) .*|contents|table of .*|definitions?|glossary|terms|"
    r"(?:\w+ )?links?|background|general|misc\w*|(?:get in |\w+ )?contact\w*|(?:\w+ )?options|usage|context|decision|consequences|status|method|results?|"
    r"alternatives|design|motivation|purpose|scope|goals?|(?:\w+ )?(?:mission|values|objectives)|prerequisites|conclusion|appendix|"
    r"elsewhere|back|\w+ed|how well .*|next steps|what's next|further .*|more .*|other .*|related .*|known .*|good to know|tips?|remarks?|parameters|arguments|"
    r"(?:key |basic |advanced )?(?:concepts?|features|topics|usage)|history|credits|license|changelog|todo|questions?|details|resources|ressources|"
    r"announcements?|divers|autres?|sonstiges|verschiedenes|exemples?|beispiele?|einleitung|überblick|zusammenfassung)",
    re.IGNORECASE,
)
"""Matches headings that say nothing about what their sections are on."""

REMARK = re.compile(
    r"(?:note|danger|info|tip|warning|hint|important|example|source|attention|caution|update|default|type|version|date|author|tags?|hinweis|achtung|"
    r"beispiel|tipp|quelle|remarque|exemple|astuce)\b.*",
    re.IGNORECASE,
)
"""Matches labels of lines that state no fact about the topic."""

NO_TERM = re.compile(
    r"(?:in|on|at|as|with|without|by|for|from|to|of|if|when|not|no|and|or|other|others|more|some|any|all|one|two|three|four|five|half|several|few|many|worth|worst|zwei|drei|deux|trois|mit|ohne|für|von|zu|bei|im|am|"
    r"en|à|au|aux|pour|par|sur|dans|avec|sans|de|autres?|weitere)\b",
    re.IGNORECASE,
)
"""Matches the first word of a heading that names no thing."""

DEVICE = re.compile(r"\bthe (?:machine|device|appliance|product|app|software)\b", re.IGNORECASE)
"""Matches the words for a product that its manual uses instead of its name."""


def lower(text: str) -> str:
    """Return a text with a small first letter, unless its first word is an abbreviation or has digits."""
    return text if re.match(r"\w[A-Z\d]|I\b", text) else text[:1].lower() + text[1:]


_SMALL = re.compile(r"(?<![\w./@:#-])[a-zà-ÿß'’-]{2,}(?![\w/@:]|\.\w)")
_CAPITAL = re.compile(r"(?<=[a-zà-ÿß,] )[A-ZÀ-Þ][a-zà-ÿß'’-]+")
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<[^<>\n]*>", re.DOTALL)


def small_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that the texts have in small letters more often than with a capital: those that are no names.

    Code and addresses are not read, nor the first words of sentences.
    """
    counts = Counter[str]()
    for text in texts:
        prose = _CODE.sub("", text)
        counts.update(_SMALL.findall(prose))
        counts.subtract(word.casefold() for word in _CAPITAL.findall(prose))
    return frozenset(word for word, count in counts.items() if count > 0)


def in_small(title: str, ordinary: frozenset[str]) -> str:
    """Return a title with small letters in its words that are no names: "Send form encoded data"."""
    return re.sub(
        r"\b[A-Z][a-z]+\b(?!['’])",
        lambda word: lower(word[0]) if word[0].lower() in ordinary or not content_words(word[0]) else word[0],
        title,
    )


_WORD = re.compile(r"[^\W_](?:[\w.'’&+-]*\w)?|&|-{1,2}\w[\w-]*|_\w+")
_UNUSUAL = re.compile(r"[^\w\s.,'’&+/\"“”„«»`°()-]")
_FRONT = re.compile(r"^(?:(?:the|an?|der|die|das|eine?|les?|la|une?|des)\s+|l['’])", re.IGNORECASE)
_LEAST, _MOST = 2, 8


def search_words(language: str, *parts: str) -> str | None:
    """Return the parts as search words: without markup and repeated words; None if they make no query.

    A query has two to eight words with a meaning, and no clause, no first or second person and no unusual sign.
    """
    words: list[str] = []
    for part in parts:
        plain = _FRONT.sub("", re.sub(r"(?<!\w)\(.*?\)", "", part).strip(), count=1)
        if CLAUSE.search(plain.replace("`", " ")) or _UNUSUAL.search(plain) or re.search(r"\w[(/]", plain):
            return None
        found = _WORD.findall(re.sub(r"[`()\"“”„«»/,]", " ", plain))
        words += found[1:] if words and found and words[-1].casefold() == found[0].casefold() else found
    text = " ".join(words)
    if not _LEAST <= len(set(content_words(text.replace("_", " ")))) <= _MOST:
        return None
    return text if language == "de" else text.lower()


def is_term(text: str, most_words: int = 4) -> bool:
    """Return whether a text can name a thing in search words: a few words that begin with no preposition."""
    plain = _FRONT.sub("", text.strip(), count=1)
    return (
        0 < len(content_words(plain)) <= most_words
        and len(plain.split()) <= 2 * most_words
        and re.search(r"[^\W\d_]{2}", plain) is not None
        and not (NO_TERM.match(plain) or CLAUSE.search(plain) or plain.endswith(("?", ":", ".", "!")))
    )
