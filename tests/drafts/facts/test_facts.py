from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions.write import extract_facts


def facts_of(text: str, language: str = "en", headings: tuple[str, ...] = ()) -> list[Fact]:
    return list(extract_facts([DraftPassage("p", "d", text, headings)], [language]))


def asked(text: str, language: str = "en", headings: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(one.question, one.value) for one in facts_of(text, language, headings)]


def test_sentences_of_three_languages() -> None:
    for language, text, question, value in (
        ("en", "The price of Zenith 3 is 490 euros.", "What is the price of Zenith 3?", "490 euros"),
        ("en", "Zenith 3 has a weight of 12 kg.", "What is the weight of Zenith 3?", "12 kg"),
        ("en", "Zenith Ltd was founded in 1987 in Ulm.", "When was Zenith Ltd founded?", "1987"),
        ("en", "The Aller Bridge is 84 metres long.", "How long is the Aller Bridge?", "84 metres"),
        ("en", "The Aller Bridge was designed by Ann Lee.", "Who designed the Aller Bridge?", "Ann Lee"),
        ("en", "`--list` prints a table of all the metrics.", "What does `--list` do?",
         "Prints a table of all the metrics"),
        ("de", "Der Preis von Zenith 3 beträgt 490 Euro.", "Wie hoch ist der Preis von Zenith 3?", "490 Euro"),
        ("de", "Das Café Ulm öffnet um 10 Uhr.", "Wann öffnet das Café Ulm?", "um 10 Uhr"),
        ("fr", "Le prix de Zenith 3 est de 490 euros.", "Quel est le prix de Zenith 3 ?", "490 euros"),
        ("fr", "Le Musée Larivière a été fondé en 1911.", "Quand a été fondé le Musée Larivière ?", "1911"),
    ):  # fmt: skip
        assert asked(text, language) == [(question, value)]


def test_a_sentence_is_completed_with_the_topic_of_its_document() -> None:
    title = ("Aldbrook library: rules for readers",)
    for text, question, value in (
        ("A reader may keep a book for four weeks.", "How long may a reader keep a book at Aldbrook library?",
         "four weeks"),
        ("Readers may borrow up to ten books.", "How many books may readers borrow at Aldbrook library?", "ten books"),
        ("Lost cards must be reported within three days.", "How soon must lost cards be reported at Aldbrook library?",
         "within three days"),
        ("A copy costs 10 cents per page.", "How much does a copy cost at Aldbrook library?", "10 cents per page"),
        ("Readers may use a desk for up to two hours a day.",
         "How many hours a day may readers use a desk at Aldbrook library?",
         "up to two hours a day"),
    ):  # fmt: skip
        assert (question, value) in asked(text, "en", title)


def test_sentences_that_need_their_context_give_no_fact() -> None:
    for text in (
        "The price of this lamp is 490 euros.",
        "It has a weight of 12 kg.",
        "The rest of Zenith is good.",
        "The price of Zenith 3 is also high.",
        "The price of the lamp is 5 euros.",
        "Every lamp costs 5 euros.",
        "The festival starts at 14:00.",
        "The bridge is 84 metres long and weighs 120 tonnes.",
        "`--repeats` counts how much that matters to the result.",
        "`lamps list` prints both of these side by side.",
        "A new section is a module with a title.",
        "The first is the baseline of all the runs.",
    ):
        assert asked(text) == []


def test_value_ends_before_a_second_subject() -> None:
    assert asked("`--cache` reuses answers of the judge, and `--offline` replays a run.") == [
        ("What does `--cache` do?", "Reuses answers of the judge")
    ]


def test_table_cells_become_facts_by_row_and_column() -> None:
    table = (
        "| option | means | default | notes |\n|---|---|---|---|\n"
        "| `wait_time` | seconds between tries | `4` | x |\n| `most` | | | |"
    )
    found = facts_of(table)
    assert [(one.form, one.noun, one.question, one.value) for one in found] == [
        ("cell", "option", "What does the option `wait_time` mean?", "seconds between tries"),
        ("cell", "option", "What is the default of the option `wait_time`?", "`4`"),
        ("blank", "option", "What does the option `most` mean?", "seconds between tries"),
    ]
    assert table[slice(*found[0].span)].startswith("| `wait_time`")


def test_prices_and_times_of_tables_are_asked_in_their_words() -> None:
    rental = "| Bicycle | Half day | Deposit |\n|---|---|---|\n| City bike | 12 euros | 50 euros |"
    assert asked(rental, "en", ("Pedal Works: price list",)) == [
        ("How much does the city bike (half day) cost at Pedal Works?", "12 euros"),
        ("What is the deposit for the city bike at Pedal Works?", "50 euros"),
    ]
    stops = "| Stop | First bus |\n|---|---|\n| Market Square | 5:16 |"
    assert asked(stops, "en", ("Line 7 timetable",)) == [
        ("When does the first bus leave Market Square on Line 7?", "5:16")
    ]
    offices = "| office | capacity |\n|---|---|\n| North | 40 desks |"
    assert asked(offices) == [("What is the capacity of the North office?", "40 desks")]


def test_table_rows_that_make_no_natural_question_are_skipped() -> None:
    for table in (
        "| A | price |\n|---|---|\n| Ann | 5 |\n| Ann | 6 euros |",
        "| set | rate |\n|---|---|\n| Wide | 0.97 [0.95, 0.98] |",
        "| room | holds |\n|---|---|\n| `api`, `arguments` | the two doors |",
        "| key | means |\n|---|---|\n| `output` | received |",
        "| key | means |\n|---|---|\n| `k` | the number of ids |",
    ):
        assert asked(table) == []


def test_lines_with_a_label() -> None:
    text = (
        "Small service: 69 euros\n**Replacing a tyre:** 18 euros\nNote: call first.\n- Annual fee: 20 euros"
    )
    assert asked(text, "en", ("Pedal Works: price list",)) == [
        ("How much does the small service cost at Pedal Works?", "69 euros"),
        ("How much does replacing a tyre cost at Pedal Works?", "18 euros"),
        ("How much is the annual fee at Pedal Works?", "20 euros"),
    ]
    assert asked("- Weight: 7.4 kg\n- Colour: 3", "en", ("Brewmaster 300 user manual",)) == [
        ("What is the weight of Brewmaster 300?", "7.4 kg")
    ]
    hours = asked(
        "- Monday to Friday: 9:00 to 19:00\n- Sunday: closed", "en", ("Aldbrook library", "Opening hours")
    )
    assert hours[-1] == (
        "What are the opening hours of Aldbrook library from Monday to Friday?",
        "9:00 to 19:00",
    )
    assert asked(
        "- **Core time**: the hours in which everybody can be reached", "en", ("Working", "Glossary")
    ) == [("What does “Core time” mean?", "the hours in which everybody can be reached")]


def test_questions_of_the_document_are_asked_in_their_words() -> None:
    faq = "**How do I get a library card?**\nCome to the desk with a passport.\n\n"
    faq += "Q: Who may use the colour copier upstairs?\nA: All readers."
    assert asked(faq) == [
        ("How do I get a library card?", "Come to the desk with a passport."),
        ("Who may use the colour copier upstairs?", "All readers."),
    ]
    assert asked("Ask at the till for a voucher.", headings=("Zenith Shop", "Do you sell vouchers?")) == [
        ("Does Zenith Shop sell vouchers?", "Ask at the till for a voucher.")
    ]
    assert asked("Run `lamps why` to see more.", headings=("Why did it break?",)) == []


def test_headings_that_name_a_task() -> None:
    steps = "1. Fill the tank.\n2. Press the button."
    for heading, question in (
        ("Descaling the machine", "How do I descale Brewmaster 300?"),
        ("Clean the milk nozzle", "How do I clean the milk nozzle on Brewmaster 300?"),
    ):
        assert (question, steps) in asked(steps, "en", ("Brewmaster 300 user manual", heading))
    assert asked(steps, "de", ("Zenith 3", "Einen Ausweis beantragen")) == [
        ("Zenith 3: Wie kann ich einen Ausweis beantragen?", steps)
    ]
    for heading in ("Add it here", "Opening hours", "Move from Lamps 2: a story"):
        assert not [fact for fact in facts_of(steps, headings=("Lamps", heading)) if fact.form == "task"]
    assert not [
        fact
        for fact in facts_of("A lamp is bright.", headings=("Lamps", "Measure the light"))
        if fact.form == "task"
    ]


def test_code_that_answers_keeps_its_indentation() -> None:
    code = "```yaml\nlamps:\n  - name: Zenith\n```"
    assert [one.value for one in facts_of(code, headings=("Lamps", "Add a lamp"))] == [code]


def test_code_is_not_read_as_prose() -> None:
    assert facts_of("```\nThe price of Zenith 3 is 490 euros.\n```") == []
