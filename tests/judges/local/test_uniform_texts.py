from tests.testing.for_each import for_each

from ragstone.judges.local.support import support

TABLE = "| Item | Fee |\n|---|---|\n| Adult | 12 euros |\n| Child | 5 euros |"


@for_each(
    "statement, passage, quoted",
    [
        (
            "Die Miete beträgt 1.250,50 Euro.",
            "Die Miete beträgt 1250,50 Euro.",
            "Die Miete beträgt 1250,50 Euro",
        ),
        ("Die Brücke ist 1250 m lang.", "Die Brücke ist 1.250 m lang.", "Die Brücke ist 1.250 m lang"),
        ("The deadline is 2024-03-05.", "The deadline is 5 March 2024.", "The deadline is 5 March 2024"),
        ("The deadline is 5 March 2024.", "The deadline is 2024-03-05.", "The deadline is 2024-03-05"),
        ("An adult pays 12 euros.", TABLE, "Adult | 12 euros"),
    ],
)
def test_other_spelling_of_the_same_fact_is_supported(statement: str, passage: str, quoted: str) -> None:
    (found,) = support([statement], [passage])
    assert found.verdict == "yes"
    assert found.span is not None
    assert passage[slice(*found.span)] == quoted


@for_each(
    "statement, passage",
    [
        ("Die Miete beträgt 1.350,50 Euro.", "Die Miete beträgt 1250,50 Euro"),
        ("The deadline is 2024-03-06.", "The deadline is 5 March 2024."),
    ],
)
def test_another_number_in_another_spelling_is_not_supported(statement: str, passage: str) -> None:
    assert support([statement], [passage])[0].verdict != "yes"
