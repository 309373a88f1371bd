"""Amounts of money, times and days of the week in texts of three languages."""

import re

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
