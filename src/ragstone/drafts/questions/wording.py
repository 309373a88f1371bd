"""Wording of the questions that rules write, by language; one function for each form of question."""

import re

from ragstone.drafts.facts.fact import Fact

LANGUAGES = ("en", "de", "fr")
"""The languages in which rules can write."""

_BASE_FORMS = {
    "takes": "take", "has": "have", "holds": "hold", "contains": "contain", "needs": "need", "uses": "use",
    "requires": "require", "allows": "allow", "employs": "employ",
}  # fmt: skip
_GERMAN_HIGHER = {"Der": "den höheren", "Die": "die höhere", "Das": "das höhere"}


def ask_fact(fact: Fact, language: str, scope: str = "") -> str | None:
    """Return the question that a fact answers; None if the language has no wording for it.

    Args:
        fact: the fact.
        language: `en`, `de` or `fr`.
        scope: the title to name in the question if the subject is ambiguous without it; else empty.
    """
    if fact.form == "asked":
        question = re.sub(r"^How to ", "How do I ", fact.subject)
        asked = question if question.endswith("?") else f"{question}?"
    else:
        asked = {"en": _english, "de": _german, "fr": _french}.get(language, _no_wording)(fact)
    if asked is None or not scope:
        return asked
    end = " ?" if language == "fr" else "?"
    return f"{asked.rstrip('? ')}{_in_scope(scope, language)}{end}"


def subject_of(fact: Fact, language: str = "en", scope: str = "") -> str:
    """Return the subject with its noun and scope: "the option `k` in “Recall”"."""
    subject = f"“{fact.subject}”" if re.fullmatch(r"[a-zà-ÿ ]+", fact.subject) else fact.subject
    name = f"the {fact.noun} {subject}" if fact.noun and language == "en" else fact.subject
    return f"{name}{_in_scope(scope, language)}" if scope else name


def is_one_word(subject: str) -> bool:
    """Return whether a name is one lowercase word or number, such as `k`, which is ambiguous by itself."""
    return re.fullmatch(r"`?[a-zà-ÿ0-9]+`?", subject) is not None


def _in_scope(scope: str, language: str) -> str:
    quoted = {"de": f" in „{scope}“", "fr": f" dans « {scope} »"}
    return quoted.get(language, f" in “{scope}”")


def _no_wording(fact: Fact) -> None:
    del fact


def _english(fact: Fact) -> str | None:  # noqa: PLR0911  (one return a form)
    subject = subject_of(fact)
    match fact.form:
        case "attribute" | "cell":
            return f"What {_verb_for(fact.attribute)} the {_lower(fact.attribute)} of {subject}?"
        case "verb_cell" | "action":
            return f"What does {_quoted(subject, fact)} {fact.attribute}?"
        case "year":
            return f"When was {_lower_article(fact.subject)} {fact.attribute}?"
        case "count":
            unit, verb = fact.attribute.rsplit(" ", 1)
            return f"How many {unit} does {_lower_article(fact.subject)} {_BASE_FORMS[verb]}?"
        case "definition" | "entry":
            return f"What is {_lower_article(fact.subject)}?"
        case "steps":
            return f"How do I {_your_to_my(_lower(fact.subject))}?"
        case _:
            return None


def _german(fact: Fact) -> str | None:
    match fact.form:
        case "attribute":
            return f"Was ist {fact.article.lower()} {fact.attribute} von {fact.subject}?"
        case "cell":
            return f"Wie lautet „{fact.attribute}“ bei {fact.subject}?"
        case "year":
            return f"Wann wurde {_lower_article(fact.subject)} {fact.attribute}?"
        case "definition":
            return f"Was ist {fact.subject}?"
        case _:
            return None


def _french(fact: Fact) -> str | None:
    match fact.form:
        case "attribute":
            which = "Quelle" if fact.article.lower() == "la" else "Quel"
            return f"{which} est {_french_article(fact)}{fact.attribute} de {fact.subject} ?"
        case "cell":
            return f"Quelle est la valeur de « {fact.attribute} » pour {fact.subject} ?"
        case "year":
            return f"Quand a été {fact.attribute} {fact.subject} ?"
        case "definition":
            return f"Qu’est-ce que {fact.subject} ?"
        case _:
            return None


def ask_two(first: Fact, second: Fact, language: str) -> str | None:
    """Return a question that asks for two attributes of one subject, whose values are in two passages."""
    subject = subject_of(first)
    match language:
        case "en":
            return f"What are the {_lower(first.attribute)} and the {_lower(second.attribute)} of {subject}?"
        case "de" if first.article and second.article:
            one, two = first.article.lower(), second.article.lower()
            return f"Was sind {one} {first.attribute} und {two} {second.attribute} von {first.subject}?"
        case "fr" if first.article and second.article:
            one, two = _french_article(first), _french_article(second)
            return f"Quels sont {one}{first.attribute} et {two}{second.attribute} de {first.subject} ?"
        case _:
            return None


def ask_greater(first: Fact, second: Fact, language: str) -> str | None:
    """Return a question that asks which of two subjects has more of an attribute."""
    names = subject_of(first), subject_of(second)
    match language:
        case "en":
            return f"Which has the higher {_lower(first.attribute)}, {names[0]} or {names[1]}?"
        case "de" if first.article in _GERMAN_HIGHER:
            return f"Was hat {_GERMAN_HIGHER[first.article]} {first.attribute}: {first.subject} oder {second.subject}?"
        case "fr" if first.article:
            end = "la plus élevée" if first.article.lower() == "la" else "le plus élevé"
            return f"Qui a {_french_article(first)}{first.attribute} {end} : {first.subject} ou {second.subject} ?"
        case _:
            return None


def ask_both(fact: Fact, names: tuple[str, str], language: str) -> str | None:
    """Return a question that asks for one attribute of two subjects; only in English.

    Args:
        fact: a fact with the attribute.
        names: the names of the subjects in the question.
        language: the language of the question.
    """
    if language != "en":
        return None
    if fact.form == "verb_cell":
        return f"What do {names[0]} and {names[1]} {fact.attribute}?"
    return f"What {_verb_for(fact.attribute)} the {_lower(fact.attribute)} of {names[0]}, and of {names[1]}?"


def ask_difference(names: tuple[str, str], language: str) -> str | None:
    """Return a question that asks how two subjects differ."""
    match language:
        case "en":
            return f"What is the difference between {names[0]} and {names[1]}?"
        case "de":
            return f"Worin unterscheiden sich {names[0]} und {names[1]}?"
        case "fr":
            return f"Quelle est la différence entre {names[0]} et {names[1]} ?"
        case _:
            return None


def ask_next(fact: Fact, language: str) -> str | None:  # noqa: PLR0911  (one return a form)
    """Return the second question of a conversation, which leaves the subject out."""
    match language:
        case "en" if fact.form == "verb_cell":
            return f"And what does it {fact.attribute}?"
        case "en":
            return f"And what {_verb_for(fact.attribute)} the {_lower(fact.attribute)}?"
        case "de" if fact.article:
            return f"Und was ist {fact.article.lower()} {fact.attribute}?"
        case "de" if fact.form == "cell":
            return f"Und wie lautet „{fact.attribute}“?"
        case "fr" if fact.article:
            return f"Et {_french_article(fact)}{fact.attribute} ?"
        case "fr" if fact.form == "cell":
            return f"Et quelle est la valeur de « {fact.attribute} » ?"
        case _:
            return None


def ask_why(fact: Fact, wrong: str, language: str) -> str | None:
    """Return a question that assumes a wrong value."""
    match language:
        case "en":
            return f"Why is the {_lower(fact.attribute)} of {subject_of(fact)} {wrong}?"
        case "de" if fact.article:
            return f"Warum ist {fact.article.lower()} {fact.attribute} von {fact.subject} {wrong}?"
        case "fr" if fact.article:
            return f"Pourquoi {_french_article(fact)}{fact.attribute} de {fact.subject} est-il de {wrong} ?"
        case _:
            return None


def deny(fact: Fact, wrong: str, language: str) -> str:
    """Return the expected output of a question that assumes a wrong value."""
    subject = subject_of(fact)
    return {
        "en": f"It is not {wrong}: the {_lower(fact.attribute)} of {subject} is {fact.value}.",
        "de": f"Das stimmt nicht: {fact.article} {fact.attribute} von {fact.subject} ist {fact.value}, nicht {wrong}.",
        "fr": f"{fact.article} {fact.attribute} de {fact.subject} est de {fact.value}, et non {wrong}.",
    }[language]


def _french_article(fact: Fact) -> str:
    article = fact.article.lower()
    return article if article.endswith(("'", "’")) else f"{article} "


def _verb_for(attribute: str) -> str:
    """Return the verb for an attribute: "are" if it is a plural, else "is"."""
    plural = re.search(r"(?<!s)s$", attribute) and not attribute.endswith("status")
    return "are" if plural else "is"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if not text[1:2].isupper() else text


def _lower_article(subject: str) -> str:
    return re.sub(r"^(An?|The|Der|Die|Das)\b", lambda match: match[0].lower(), subject)


def _your_to_my(text: str) -> str:
    return re.sub(r"\byour\b", "my", text)


def _quoted(subject: str, fact: Fact) -> str:
    """Return the subject, in quotation marks if it is a lowercase word without a noun, so that it reads as a name."""
    plain = not fact.noun and subject[0].islower()
    return f"“{subject}”" if plain else subject
