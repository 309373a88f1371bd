from tests.testing.for_each import for_each
from tests.text.foreign_sentences import SENTENCES

from ragstone.text.function_words import (
    AMBIGUOUS,
    LETTERS,
    OTHER_LANGUAGE_WORDS,
    STOP_WORDS,
    SUPPORTED_LANGUAGE_WORDS,
)
from ragstone.text.languages import count_words, unsupported_language, why_not_judged

GOOD = (
    "The library is open from Tuesday to Saturday, but it is closed on public holidays.",
    "Die Bücherei hat von Dienstag bis Samstag geöffnet, an Feiertagen bleibt sie zu.",
    "La bibliothèque est ouverte du mardi au samedi, mais elle ferme les jours fériés.",
    "La biblioteca abre de martes a sábado, pero los días festivos está cerrada.",
)
_ITALIAN = "La biblioteca comunale è aperta dal martedì al sabato, ma resta chiusa nei giorni festivi."
_ALIKE = {
    "Norwegian": {"Danish", "Norwegian"},
    "Danish": {"Danish", "Norwegian"},
    "Slovak": {"Slovak", "Czech"},
    "Galician": {"Galician", "Portuguese"},
    "Afrikaans": {"Afrikaans", "Dutch"},
}


@for_each("language", SENTENCES)
def test_language_of_each_sentence_is_detected(language: str) -> None:
    found = {sentence: unsupported_language(count_words(sentence)) for sentence in SENTENCES[language]}
    assert {text: name for text, name in found.items() if name not in _ALIKE.get(language, {language})} == {}


@for_each("language", SENTENCES)
def test_language_of_a_passage_is_detected(language: str) -> None:
    passage = " ".join(SENTENCES[language])
    assert unsupported_language(count_words(passage)) in _ALIKE.get(language, {language})


@for_each("text", GOOD)
def test_the_four_languages_are_judged(text: str) -> None:
    assert unsupported_language(count_words(text)) == ""
    assert all(why_not_judged(count_words(text), count_words(other)) == "" for other in GOOD)


@for_each(
    "text",
    [
        "",
        "Paris.",
        "12 34 56",
        "Vincent van Gogh, Jan van Eyck and Ludwig van Beethoven",
        "Lungotevere degli Alberteschi, Piazza della Rotonda, Via del Corso",
        "Malmö, Århus, Łódź, Plzeň, İzmir",
        "| Ort | Preis |\n|---|---|\n| Malmö | 5 |\n| Århus | 7 |",
        'The motto reads "Non per me ma per gli altri che verranno dopo di noi".',
        "Das Buch „Se questo è un uomo, e non sono che ombre“ ist von Levi.",
        "Le film « La grande bellezza della notte, che non si può dire » sort en mai.",
        "Run `del og fra til ikke` first.",
        "```\nfor og in ikke: mellem(og)\n```\nThe loop ends.",
        "for (var i = 0; i < n; i++) { var fi = let(i); }",
        "while true; do echo $na; done",
        "yes – tak; no – nie; when – kiedy; where – gdzie",
        "The Dutch word gezellig means cosy; the Danish word is hygge, ikke?",
        "She served smørrebrød and æbleskiver.",
        "prāṇāyāma, āsana, dhyāna",
        "ä ö ü ß å ø",
        "Os damos las gracias por vuestra visita, nos vemos en otoño.",
        "i need to set the time to ten, let the dog out and sit at the door",
        "Er kam samt Hund und nahm teil, ein Dock war frei.",
        "El año que viene sale una mina de sal, cosa que dan por segura.",
        "Que dit la ville ? Mille visas, deja vu, un nid dans le pot.",
    ],
)
def test_names_quotations_code_and_single_words_are_judged(text: str) -> None:
    assert unsupported_language(count_words(text)) == ""


def test_the_reason_names_the_language() -> None:
    assert why_not_judged(count_words(_ITALIAN)) == (
        "not judged: the text seems to be Italian; "
        "the embedded judge was measured on English, German, French and Spanish only"
    )
    assert "Latin script" in why_not_judged(count_words("埃菲尔铁塔在巴黎。"))


def test_one_text_in_another_language_is_enough() -> None:
    assert "Italian" in why_not_judged(count_words(GOOD[0]), count_words(_ITALIAN))
    assert "Italian" in why_not_judged(count_words(_ITALIAN), count_words(GOOD[0]))


def test_passages_are_counted_as_one_text() -> None:
    assert why_not_judged(count_words(GOOD[0]), count_words(GOOD[0], _ITALIAN)) == ""
    assert "Italian" in why_not_judged(count_words("Sì."), count_words(GOOD[0], *[_ITALIAN] * 4))


def test_short_texts_are_detected_together() -> None:
    claim, passage = (
        count_words(text) for text in ("Ponte degli Svizzeri: nuovo.", "Lungo: metà della strada")
    )
    assert unsupported_language(claim) == unsupported_language(passage) == ""
    assert "Italian" in why_not_judged(claim, passage)


def test_decomposed_letters_are_read() -> None:
    assert (
        unsupported_language(
            count_words("kto\u0301ra, sa\u0328 i moz\u0307e by\u0107 ze wzgle\u0328du na to")
        )
        == "Polish"
    )


def test_the_first_characters_of_each_text_are_read() -> None:
    assert count_words("a " * 100_000, "b " * 10).total == 5_010


def test_each_language_has_words_of_its_own() -> None:
    four = frozenset[str]().union(*STOP_WORDS.values(), *SUPPORTED_LANGUAGE_WORDS.values(), AMBIGUOUS)
    assert min(len(words - four) for words in OTHER_LANGUAGE_WORDS.values()) >= 40
    assert set(LETTERS) <= set(OTHER_LANGUAGE_WORDS)


def test_no_letter_is_one_of_the_four_languages() -> None:
    texts = [*GOOD, *(word for words in SUPPORTED_LANGUAGE_WORDS.values() for word in words)]
    letters = [letter for group in LETTERS.values() for letter in group]
    assert [(text, letter) for text in texts for letter in letters if letter in f"{text}_"] == []
