import pytest

from ragstone.judges.local.matching.quantities import find_quantities, restate_quantities


@pytest.mark.parametrize(
    ("statement", "passage", "told"),
    [
        (
            "The warranty is valid for 24 months.",
            "It lasts two years.",
            "The warranty is valid for two years.",
        ),
        ("It closes at 7 p.m.", "Open until 19:00 daily.", "It closes at 19:00"),
        ("It shuts at 12:00.", "It closes at noon.", "It shuts at noon."),
        ("Use half a kilo of flour.", "Take 500 g of flour.", "Use 500 g of flour."),
        ("It is 1.5 km long.", "A path of 1500 metres.", "It is 1500 metres long."),
        ("It is 1,500 m long.", "A path of 1.5 km.", "It is 1.5 km long."),
        ("Return it within thirty days.", "Return it within 30 days.", "Return it within 30 days."),
        ("Cool it within 60 minutes.", "Cool it within an hour.", "Cool it within an hour."),
        ("He got 40 months.", "He got three years and four months.", "He got three years and four months."),
        ("It took 2 hours and 30 minutes.", "After 150 minutes.", "It took 150 minutes."),
        ("It takes 90 minutes.", "It takes an hour and a half.", "It takes an hour and a half."),
        ("It takes 30 months.", "It takes two and a half years.", "It takes two and a half years."),
        ("It lasts 15 minutes.", "It takes a quarter of an hour.", "It lasts a quarter of an hour."),
        ("It is valid for twenty-five years.", "Valid for 300 months.", "It is valid for 300 months."),
    ],
)
def test_equal_quantity_is_restated_as_in_the_evidence(statement: str, passage: str, told: str) -> None:
    assert restate_quantities(statement, (passage,)) == told


@pytest.mark.parametrize(
    ("statement", "passage"),
    [
        ("The warranty is valid for 36 months.", "It lasts two years."),
        ("It closes at 7 a.m.", "Open until 19:00."),
        ("It costs 9 a day.", "It is charged for 24 hours."),
        ("A second driver is free.", "It takes 1 second."),
        ("A five-year term.", "A term of five years."),
        ("It takes two years.", "It takes two years, or 24 months."),
        ("No number at all.", "Two years."),
        ("It weighs 1,500 g.", "It weighs 1.5 g."),
        ("It answers in 5 ms.", "It is 5 metres long."),
        ("It is valid for twenty-five years.", "Valid for 60 months."),
        ("It is a hundred and twenty metres long.", "A path of 0.02 km."),
        ("It weighs 35 to 50 grams.", "It weighs 0.05 kg."),
        ("The warranty is valid for three years and four months.", "It lasts three years."),
    ],
)
def test_unequal_quantities_and_other_words_are_not_restated(statement: str, passage: str) -> None:
    assert restate_quantities(statement, (passage,)) == statement


def test_invalid_hour_is_not_a_clock_time() -> None:
    assert [q.kind for q in find_quantities("13 p.m., 12 a.m., 12 p.m.")] == ["clock", "clock"]
    assert [q.value for q in find_quantities("12 a.m. and 12 p.m.")] == [0, 720]
