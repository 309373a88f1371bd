"""Lists of words that the rules need: verbs of tasks, attributes, places, and words that any title may have."""

import re

TASK_VERBS = frozenset(
    """add adjust apply annotate assemble attach ask bake book borrow bring build buy call cancel change charge check choose
    claim clean compare configure connect convert cook create debug delete deploy descale disable download draft empty enable
    enter evaluate export fill find fit fix gate generate get guard hire import improve insert inspect install join keep limit
    link list load lower make measure merge migrate monitor move name open order pass pay pin place prepare press print
    protect publish put raise read record register release remove rename renew rent repair repeat replace report request
    reserve reset restart resume return review roll rotate run save schedule score search select sell send serve set share
    ship show sign start stop store submit switch test trace translate transfer try tune turn unlock unpack update upgrade
    upload use validate verify view wash watch withdraw write""".split()
)

GERUNDS = {
    gerund: verb
    for verb in sorted(TASK_VERBS)
    for gerund in (
        f"{verb[:-1] if verb.endswith('e') and verb != 'see' else verb}ing",
        f"{verb}{verb[-1]}ing",
    )
}
"""The verb of each gerund: "cleaning" is "clean", "fitting" is "fit"."""

PLACE_WORDS = frozenset(
    """academy airport archive association bakery bank bar cafe café centre center cinema clinic club college company
    council dentist estate foundation gallery garage gym hall hospital hostel hotel inn institute laundry library market museum
    nursery office park pharmacy pool pub restaurant school shop station store studio swimming theatre theater university
    workshop works zoo bistro brewery cycles bikes books farm garden gardens house kitchen ltd inc gmbh llc plc""".split()
)
"""Words in the names of places and organisations, where a question says "at"."""

GENERIC_TITLE_WORDS = re.compile(
    r"\b(?:frequently asked questions|questions and answers|faqs?|q ?& ?a|(?:(?:user|owner|employee|staff|visitor|reader|member|student|"
    r"instruction|service)['’]?s?['’]? )?(?:handbook|manual|guide|rules|information|regulations)|(?:price|tariff)s?(?: list)?|"
    r"rates|fees|(?:summer |winter )?timetable|schedule|opening (?:hours|times)|info|documentation|docs|api|rest|reference|overview|"
    r"introduction|instructions|terms(?: and conditions)?|polic(?:y|ies)|recipe|recipes|services|contact|help|support|news|"
    r"press release|user|employee|glossary|changelog|at a glance|your visit|visit|visiting|and prices|for (?:readers|visitors|"
    r"customers|staff|employees|members)|effective|from|(?:january|march|april|may|june|july|september|october) |20\d\d|"
    r"häufige fragen|preisliste|preise|handbuch|anleitung|bedienungsanleitung|fahrplan|öffnungszeiten|hausordnung|"
    r"benutzungsordnung|questions fréquentes|tarifs?|manuel|mode d['’]emploi|horaires|règlement|guide)$",
    re.IGNORECASE,
)

ATTRIBUTES = {
    "en": frozenset(
        """address age altitude amount area author budget calories capacity capital category circulation colour
        color cost country currency deadline default deposit depth diameter discount director distance duration email fee founder
        frequency height hours language length licence license limit location manager material maximum
        minimum owner password period phone population port portion power price pressure range rate
        refund salary surcharge tax size speed supplier temperature thickness time timeout voltage volume wage warranty
        weight width yield year""".split()
    ),
    "de": {
        **dict.fromkeys("Preis Durchmesser Verbrauch Abstand Rabatt".split(), "der"),
        **dict.fromkeys("Größe Höhe Breite Länge Dauer Garantie Gebühr Adresse Farbe Kapazität Leistung Temperatur Frist "
                        "Telefonnummer Garzeit Backzeit Leihfrist".split(), "die"),
        **dict.fromkeys("Gewicht Volumen Material Alter Jahr Passwort".split(), "das"),
    },
    "fr": {
        **dict.fromkeys("prix poids volume diamètre délai montant loyer".split(), "le "),
        **dict.fromkeys("taille hauteur largeur longueur durée garantie couleur capacité puissance température caution".split(), "la "),
        **dict.fromkeys("adresse âge altitude".split(), "l’"),
    },
}  # fmt: skip
"""Names of attributes, the last word of "opening hours"; in German and French with their article."""

DEVICE = re.compile(r"\bthe (?:machine|device|appliance|product|app|software)\b", re.IGNORECASE)
"""Matches the words for a product that its manual uses instead of its name."""

FOR_ATTRIBUTES = frozenset(
    "deadline deposit discount refund salary surcharge fee limit rate term warranty contact minimum maximum time duration temperature period".split()
)
"""Attributes of which a question says "for" instead of "of"."""

MONEY = re.compile(
    r"(?:about |from |ab |à partir de )?(?:[€$£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€$£]|euros?|eur|usd|gbp|chf|dollars?|pounds?|francs?|cents?|pence))"
    r"(?: (?:per|a|an|each|pro|par|je)\b.{0,30})?",
    re.IGNORECASE,
)
_PRICE = r"(?:prices?|costs?|fees?|charge|preise?|kosten|gebühr|prix|tarif)"
MONEY_HEADER = re.compile(
    rf"{_PRICE}(?: ?(?:per|a|in|pro|par|from)\b.*| ?[(\[].*)?|[€$£]|eur(?:os?)?", re.IGNORECASE
)
"""Matches the header of a column of prices."""

FEE = re.compile(rf"(?:[^\W\d_]+ )*{_PRICE}|.*gebühr", re.IGNORECASE)
"""Matches what is itself an amount: "annual fee"."""

NO_THING = re.compile(
    r".*\b(?:total|sum|subtotal|revenue|profit|loss|budget|balance|salary|wages?|savings?|tax|amount|minimum|maximum|discount|refund|"
    r"deposit|limit|turnover|sales|income|loan|debt|grant|prize|value|average|gesamt|summe|umsatz|gewinn|rabatt|total)\b.*",
    re.IGNORECASE,
)
"""Matches the name of an amount that is not the price of a thing."""

PRICE_VARIANT = re.compile(
    r"(?:half |full |one |per )?(?:day|hour|week|weekend|month|year|night)(?:ly)?|small|medium|large|single|double|adults?|child(?:ren)?|"
    r"reduced|students?|members?|off-peak|peak|summer|winter|(?:high|low) season|one way|return|standard|premium|basic|weekdays?",
    re.IGNORECASE,
)
"""Matches the header of one of several columns of prices."""

TIME_OF_DAY = re.compile(
    r"(?:at |um |à )?\d{1,2}(?:[:.h]\d{2})?(?: ?(?:am|pm|a\.m\.|p\.m\.|uhr))?", re.IGNORECASE
)
WEEKDAY = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|(?:public |bank )?holidays|daily)\b",
    re.IGNORECASE,
)
