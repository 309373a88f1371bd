"""Checks of the form of a question: verbatim, self_contained, not_copied, language. They need no judge."""

import re
from difflib import SequenceMatcher

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.outcome import CheckOutcome, passed
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.words import content_words, language_of, names_in, stems_of

LONGEST_RUN = 6
"""Most consecutive words that a question may copy from the evidence."""

MOST_OVERLAP = 0.7
"""Largest share of the evidence's content words, without names, that a question may repeat."""

_TEXT_REFERENCE = re.compile(
    r"\b(?:(?:this|the|that|given|above|following|previous) (?:document|section|text|passage|page|author|chapter|excerpt|article|"
    r"paragraph|table|figure)|(?:as )?(?:mentioned|described|shown|stated|listed) (?:above|below|here|earlier)|the author|"
    r"(?:diese[rsm]?|de[rsm]|die) (?:dokument|abschnitt|text|seite|autor|tabelle|kapitel)\w*|oben genannt\w*|"
    r"(?:ce|cet|cette|le|la) (?:document|section|texte|passage|page|auteur|tableau|chapitre)|ci-dessus|ci-dessous)\b",
    re.IGNORECASE,
)
_PRONOUNS = {
    "en": re.compile(r"\b(?:it|its|he|she|him|they|them|their|this|that|these|those|here)\b", re.IGNORECASE),
    "de": re.compile(  # "Sie" is a form of address
        r"\b(?:er|sie|(?<![Gg]ibt )es(?! gibt)|ihn|ihm|ihnen|[Dd]ies\w*|dessen|deren|davon|dafür|damit|darin)\b"
    ),
    "fr": re.compile(r"(?<!-)\b(?:il|elle|ils|elles|lui|celui|celle|cela|ça|ceci)\b", re.IGNORECASE),
}
_BARE_NOUN_QUESTION = re.compile(
    r"\W*(?:(?:what|how (?:much|many|long|high)|when|where|who) (?:is|are|was|were) the|"
    r"(?:was|wer|wo|wie \w+|wann) (?:ist|sind|war|waren|wird|wurde) (?:der|die|das)|"
    r"(?:quel(?:le)?s?|qui|combien|quand|où) (?:est|sont|était|étaient) (?:le |la |les |l['’])) *[^\W\d_]+\W*",
    re.IGNORECASE,
)
"""Matches questions for a noun with an article and no more: "What is the price?"."""

_ANSWER_ALLOWED_KINDS = frozenset({"false_premise", "comparison"})
"""Kinds whose questions may contain the words of the answer."""

_MAX_SHORT_ANSWER_WORDS = 5
_MAX_SHORT_QUESTION_WORDS = 6
"""Most words of a question that is too short for language detection."""


def check_verbatim(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome:
    """Check that there is a quote, and that each has valid offsets and is not blank."""
    quotes = [span.quote(index.passages) for span in candidate.evidence]
    valid = all(
        0 <= span.start < span.end <= len(index.passages[span.passage].text) for span in candidate.evidence
    )
    return passed(
        "verbatim", quotes and valid and all(map(str.strip, quotes)), "a quote is not at its offsets"
    )


def check_self_contained(candidate: DraftCandidate) -> CheckOutcome:
    """Check that a question is understood without its passage; for a follow-up, check the first turn."""
    question = candidate.opening[0] if candidate.opening else candidate.question
    reference = _TEXT_REFERENCE.search(question)
    if reference:
        return passed("self_contained", ok=False, why=f"it speaks of “{reference[0]}”")
    if _BARE_NOUN_QUESTION.fullmatch(question):
        return passed("self_contained", ok=False, why="it does not say of what")
    pronoun = _PRONOUNS.get(candidate.language, _PRONOUNS["en"]).search(
        re.sub(r"`[^`]*`|“[^”]*”", "", question)
    )
    named = _has_name(question, candidate.language)
    return passed("self_contained", not pronoun or named, f"“{pronoun[0] if pronoun else ''}” without a name")


def _has_name(question: str, language: str) -> bool:
    """Return whether a question has a name: code, a number or a capital; in German, two capitalised words in a row."""
    rest = re.sub(r"^\W*\w+", "", question)
    if language == "de":
        return re.search(r"`|\d|[A-ZÄÖÜ]\w+ [A-ZÄÖÜ]", rest) is not None
    return bool(names_in(rest)) or "`" in question


def check_not_copied(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome:
    """Check that a question does not copy the evidence: neither a long run of words nor most of its content words.

    A question that contains its short answer also fails.
    """
    answer_words = content_words(candidate.answer)
    checked = candidate.kind not in _ANSWER_ALLOWED_KINDS and len(answer_words) <= _MAX_SHORT_ANSWER_WORDS
    if answer_words and checked and set(answer_words) <= set(content_words(candidate.question)):
        return passed("not_copied", ok=False, why="it holds its answer")
    question_stems = stems_of(candidate.question)
    quote = "\n".join(span.quote(index.passages) for span in candidate.evidence)
    run_length = (
        SequenceMatcher(None, question_stems, stems_of(quote), autojunk=False).find_longest_match().size
    )
    if run_length > LONGEST_RUN:
        return passed("not_copied", ok=False, why=f"{run_length} words in a row are the evidence's")
    facts = [fact for fact in candidate.facts if fact.form != "asked"]
    said = {word for fact in facts for word in (*fact.subject_key, *fact.attribute_key)}
    quote_words = set(content_words(quote)) - names_in(quote) - names_in(candidate.question) - said
    shared = quote_words & set(content_words(candidate.question))
    share = len(shared) / len(quote_words) if quote_words else 0.0
    few = len(shared) <= 2  # noqa: PLR2004  (an attribute's name has to be said)
    return passed(
        "not_copied", few or share <= MOST_OVERLAP, f"it repeats {share:.0%} of the evidence's words"
    )


def check_language(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome:
    """Check that a question is in the language of its passages."""
    passage_languages = {index.languages[passage] for passage in candidate.passages}
    if "?" in passage_languages:
        return CheckOutcome("language", "?", why="the passage's language is not known")
    by_rules = candidate.method.startswith("rules")
    if by_rules and not candidate.question.endswith("?"):  # search words are the document's own
        return passed("language", passage_languages == {candidate.language})
    words = re.findall(r"[^\W\d_]+", candidate.question)
    is_short = len(words) <= _MAX_SHORT_QUESTION_WORDS
    language = language_of(candidate.question, candidate.language if is_short or by_rules else "?")
    if language == "?":
        return CheckOutcome("language", "?", why="the question's language is not known")
    return passed(
        "language",
        passage_languages == {language},
        f"the question is in {language}, the passages in {', '.join(sorted(passage_languages))}",
    )
