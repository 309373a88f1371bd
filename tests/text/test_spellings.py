from tests.testing.for_each import for_each

from ragstone.text.spellings import language_of_numbers, may_be_respelled, respelled


@for_each(
    "text, expected",
    [
        ("Die Miete beträgt 1.250,50 Euro.", "Die Miete beträgt 1250.50 Euro."),
        ("Die Miete beträgt 1250,50 Euro.", "Die Miete beträgt 1250.50 Euro."),
        ("Die Brücke ist 1.250 m lang und 18,5 m breit.", "Die Brücke ist 1250 m lang und 18.5 m breit."),
        ("Es kostet 12,50 € für 1.000.000 Leute.", "Es kostet 12.50 € für 1000000 Leute."),
        (
            "Le pont mesure 1 250 m et coûte 1\u202f250,5 euros.",
            "Le pont mesure 1250 m et coûte 1250.5 euros.",
        ),
        ("El puente mide 1.250 m y costó 4,2 millones.", "El puente mide 1250 m y costó 4.2 millones."),
        ("It costs CHF 1'250.50.", "It costs CHF 1250.50."),
        ("It is due on 2024-03-05.", "It is due on 5 March 2024."),
        ("Der Termin ist am 05.03.2024 um 14.30 Uhr.", "Der Termin ist am 5. März 2024 um 14:30 Uhr."),
        ("La réunion est le 2024-03-05 à 14 h 30.", "La réunion est le 5 mars 2024 à 14:30."),
        ("La cita es el 2024-03-05 a las 14h30.", "La cita es el 5 de marzo de 2024 a las 14:30."),
        ("It is 1.250 km, 3.5 m, 3,800 people, rows 1,2 and 3.", None),
        ("See v2.10.3, 10.0.0.1, 2024-2025, 2024-13-05 and 45.03.2024.", None),
        ("Room 12 300 is free.", None),
        ("It has no number.", None),
    ],
)
def test_numbers_dates_and_times_have_one_spelling(text: str, expected: str | None) -> None:
    assert respelled(text, language_of_numbers([text])).text == (expected or text)
    assert may_be_respelled(text) or expected is None


def test_span_of_a_respelled_number_is_that_of_the_original() -> None:
    text = "Die Miete beträgt 1.250,50 Euro."
    span = respelled(text, "de").find("1250.50 Euro")
    assert span is not None
    assert text[slice(*span)] == "1.250,50 Euro"
