from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.write import extract_facts


def facts_of(text: str, language: str = "en", headings: tuple[str, ...] = ()) -> list[Fact]:
    return list(extract_facts([DraftPassage("p", "d", text, headings)], [language]))


def fact_tuples(text: str, language: str = "en") -> list[tuple[str, str, str, str]]:
    return [(one.form, one.subject, one.attribute, one.value) for one in facts_of(text, language)]


def test_sentences_of_three_languages() -> None:
    assert fact_tuples("The price of Zenith 3 is 490 euros.") == [
        ("attribute", "Zenith 3", "price", "490 euros")
    ]
    assert fact_tuples("Zenith 3 has a weight of 12 kg.") == [("attribute", "Zenith 3", "weight", "12 kg")]
    assert fact_tuples("Zenith Ltd was founded in 1987 in Ulm.") == [
        ("year", "Zenith Ltd", "founded", "1987")
    ]
    assert fact_tuples("`--list` prints a table of all the metrics.") == [
        ("action", "`--list`", "do", "prints a table of all the metrics")
    ]
    assert fact_tuples("Der Preis von Zenith 3 beträgt 490 Euro.", "de") == [
        ("attribute", "Zenith 3", "Preis", "490 Euro")
    ]
    assert fact_tuples("Le prix de Zenith 3 est de 490 euros.", "fr") == [
        ("attribute", "Zenith 3", "prix", "490 euros")
    ]


def test_sentences_with_references_elsewhere_give_no_fact() -> None:
    for text in (
        "The price of this lamp is 490 euros.",
        "It has a weight of 12 kg.",
        "The rest of Zenith is good.",
        "The price of Zenith 3 is also high.",
        "The price of the lamp is 5 euros.",
        "`--repeats` measures how much that matters to the result.",
        "`lamps list` prints both of these side by side.",
        "A new section is a module with a title.",
        "`--skip slow` leaves out the lamps with this mark.",
        "`--workers 3` sets their number for the whole run.",
    ):
        assert fact_tuples(text) == []


def test_value_ends_before_a_second_subject() -> None:
    assert fact_tuples("`--cache` reuses answers of the judge, and `--offline` replays a run.") == [
        ("action", "`--cache`", "do", "reuses answers of the judge")
    ]
    assert fact_tuples("`error_type` is the class of the exception, `error_status` the server's status.") == [
        ("definition", "`error_type`", "", "the class of the exception")
    ]
    listed = "reads `LAMPS_KEY`, `LAMPS_URL` and, if set, `LAMPS_VERSION`"
    assert fact_tuples(f"`lamps:own` {listed}.") == [("action", "`lamps:own`", "do", listed)]
    assert fact_tuples("`lamps/` holds the folders of the shop; `lamps/own/` holds yours.") == [
        ("action", "`lamps/`", "do", "holds the folders of the shop")
    ]
    assert fact_tuples("Storing takes 3 hours.") == []
    assert fact_tuples("`--timeout` applies to one attempt alone.") == []


def test_table_cells_become_facts_by_row_and_column() -> None:
    table = (
        "| option | means | default | notes |\n|---|---|---|---|\n| `a` | power | `4` | x |\n| `b` | | | |"
    )
    found = facts_of(table)
    assert [(one.form, one.noun, one.subject, one.attribute, one.value) for one in found] == [
        ("cell", "option", "`a`", "default", "`4`"),
        ("verb_cell", "option", "`a`", "mean", "power"),
    ]
    assert all(table[slice(*one.span)].startswith("| `a`") for one in found)


def test_table_rows_with_repeated_names_or_intervals_are_skipped() -> None:
    assert facts_of("| A | price |\n|---|---|\n| Ann | 5 |\n| Ann | 6 euros |") == []
    assert facts_of("| set | rate |\n|---|---|\n| Wide | 0.97 [0.95, 0.98] |") == []


def test_table_rows_with_several_names_or_participles_are_skipped() -> None:
    assert facts_of("| room | holds |\n|---|---|\n| `api`, `arguments` | the two doors |") == []
    assert facts_of("| key | means |\n|---|---|\n| `output` | received |") == []
    assert facts_of("| key | means |\n|---|---|\n| `input` | sent and read anew |") == []


def test_question_and_task_headings_give_facts() -> None:
    asked = facts_of("Ask at the till for a voucher.", headings=("What is a voucher?",))
    assert [(one.form, one.value) for one in asked] == [("asked", "Ask at the till for a voucher.")]
    steps = facts_of("Run `lamps add NAME` in a terminal.", headings=("Lamps", "Add a lamp"))
    assert [(one.form, one.subject) for one in steps] == [("steps", "Add a lamp")]
    assert facts_of("Run `lamps add NAME` in a terminal.", headings=("Add it here",)) == []
    assert facts_of("A lamp is bright. `lamps` adds more.", headings=("Lamps", "Measure the light")) == []
    assert facts_of("`lamps` runs a list of rows over files.", headings=("Lamps", "Move from Lamps 2")) == []
    assert facts_of("Run `lamps hide`.", headings=("Lamps", "Keep out what must not be kept")) == []
    assert facts_of("Run `lamps why` to see its causes.", headings=("Why did a lamp break?",)) == []
    assert len(facts_of("It fell because it was on the edge.", headings=("Why did a lamp break?",))) == 1


def test_code_that_answers_keeps_its_indentation() -> None:
    code = "```yaml\nlamps:\n  - name: Zenith\n```"
    assert [one.value for one in facts_of(code, headings=("Lamps", "Add a lamp"))] == [code]


def test_code_is_not_read_as_prose() -> None:
    assert facts_of("```\nThe price of Zenith 3 is 490 euros.\n```") == []
