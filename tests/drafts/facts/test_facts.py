from tests.testing.for_each import for_each

from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.facts.sections import task_question
from ragstone.drafts.facts.words import in_small, is_term, search_words, small_words
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.questions import extract_facts


def facts_of(text: str, language: str = "en", headings: tuple[str, ...] = ()) -> list[Fact]:
    return list(extract_facts([DraftPassage("p", "d", text, headings)], [language]))


def asked(text: str, language: str = "en", headings: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(one.question, one.value) for one in facts_of(text, language, headings)]


@for_each(
    "language, text, question, value",
    [
        ("en", "The price of Zenith 3 is 490 euros.", "What is the price of Zenith 3?", "490 euros"),
        ("en", "Zenith 3 has a weight of 12 kg.", "What is the weight of Zenith 3?", "12 kg"),
        ("en", "Zenith Ltd was founded in 1987 in Ulm.", "When was Zenith Ltd founded?", "1987"),
        ("en", "The Aller Bridge is 84 metres long.", "How long is the Aller Bridge?", "84 metres"),
        ("en", "The Aller Bridge was designed by Ann Lee.", "Who designed the Aller Bridge?", "Ann Lee"),
        (
            "en",
            "The Aller Bridge cost 2 million euros.",
            "How much did the Aller Bridge cost?",
            "2 million euros",
        ),
        (
            "en",
            "`--listing` prints a table of the metrics.",
            "What does `--listing` do?",
            "Prints a table of the metrics",
        ),
        (
            "en",
            "`lamp.json` holds the names of the lamps.",
            "What does `lamp.json` contain?",
            "The names of the lamps",
        ),
        (
            "de",
            "Der Preis von Zenith 3 beträgt 490 Euro.",
            "Wie hoch ist der Preis von Zenith 3?",
            "490 Euro",
        ),
        ("de", "Das Zenith 3 kostet 490 Euro.", "Wie viel kostet das Zenith 3?", "490 Euro"),
        ("fr", "Le prix de Zenith 3 est de 490 euros.", "Quel est le prix de Zenith 3 ?", "490 euros"),
        ("fr", "La durée de Zenith 3 est de 2 heures.", "Quelle est la durée de Zenith 3 ?", "2 heures"),
        ("fr", "Le Musée Larivière a été fondé en 1911.", "Quand a été fondé le Musée Larivière ?", "1911"),
    ],
)
def test_sentences_of_three_languages(language: str, text: str, question: str, value: str) -> None:
    assert asked(text, language) == [(question, value)]


@for_each(
    "text, question, value",
    [
        ("A reader may keep a book for four weeks.", "How long may a reader keep a book at Aldbrook library?", "four weeks"),
        ("Readers may borrow up to ten books.", "How many books may readers borrow at Aldbrook library?", "ten books"),
        ("Lost cards must be reported within three days.", "How soon must lost cards be reported at Aldbrook library?",
         "within three days"),
        ("A copy costs 10 cents per page.", "How much does a copy cost at Aldbrook library?", "10 cents per page"),
        ("The library was founded in 1902.", "When was Aldbrook library founded?", "1902"),
        ("Readers may use a desk for up to two hours a day.",
         "How many hours a day may readers use a desk at Aldbrook library?", "up to two hours a day"),
    ],
)  # fmt: skip
def test_a_sentence_is_completed_with_the_topic_of_its_document(text: str, question: str, value: str) -> None:
    assert (question, value) in asked(text, "en", ("Aldbrook library: rules for readers",))


def test_sentences_that_need_their_context_give_no_fact() -> None:
    for text in (
        "The price of this lamp is 490 euros.",
        "It has a weight of 12 kg.",
        "The rest of Zenith is good.",
        "The price of Zenith 3 is also high.",
        "The price of the lamp is 5 euros.",
        "Every lamp costs 5 euros.",
        "The festival starts at 14:00.",
        "Rented bicycles must be returned within one hour of closing.",
        "The bridge is 84 metres long and weighs 120 tonnes.",
        "`--repeats` counts how much that matters to the result.",
        "`per_day` is an expectation and not a hard limit.",
        "A value is a span, an attribute or an element of a list.",
        "`lamps list` prints both of these side by side.",
    ):
        assert asked(text) == []


def test_value_ends_before_a_second_subject() -> None:
    assert asked("`--cache` reuses answers of the judge, and `--offline` replays a run.") == [
        ("What does `--cache` do?", "Reuses answers of the judge")
    ]


def test_code_that_many_documents_mention_is_defined_by_none() -> None:
    text = "`load_lamps` reads the exports of other tools, in any of four formats."
    others = [DraftPassage(f"p{n}", f"d{n}", "Call `lamp_file` with a path.") for n in range(3)]
    sentence = DraftPassage("p", "d", text.replace("`load_lamps` reads", "`lamp_file` holds"))
    assert extract_facts([sentence, *others], ["en"] * 4) == ()
    assert [fact.question for fact in extract_facts([sentence, *others[1:]], ["en"] * 3)] == [
        "What does `lamp_file` contain?"
    ]


def test_a_definition_stands_below_a_heading_with_its_term() -> None:
    text = "A voucher is a number that takes ten euros off one order."
    answer = "A number that takes ten euros off one order"
    assert ("What is a voucher?", answer) in asked(text, headings=("Lamps", "Vouchers"))
    assert not [
        question for question, _ in asked(text, headings=("Lamps", "Orders")) if "What is" in question
    ]


def test_table_cells_about_code_name_what_they_belong_to() -> None:
    table = "| option | means | default |\n|---|---|---|\n| `wait_time` | seconds between tries | `4` |\n| `most` | | |"
    found = facts_of(table, headings=("G-Lamp",))
    assert [(one.form, one.noun, one.question, one.value) for one in found] == [
        ("cell", "option", "What does the option `wait_time` of G-Lamp mean?", "seconds between tries"),
        ("cell", "option", "What is the default of the option `wait_time` of G-Lamp?", "`4`"),
    ]
    assert table[slice(*found[0].span)].startswith("| `wait_time`")
    assert asked(table, headings=("Lamp API",))[0][0] == "What does the option `wait_time` mean in Lamp?"
    assert [
        question for question, _ in asked(f"The average counts.\n\n{table}", headings=("Average brightness",))
    ] == [
        "average brightness wait_time default",
        "average brightness wait_time option",
    ]
    assert asked(table) == asked(table, headings=("Judge a lamp before it leaves",)) == []
    commands = "| command | does |\n|---|---|\n| `lamps list` | prints all lamps |"
    assert asked(commands) == [("What does the command `lamps list` do?", "prints all lamps")]


def test_cells_are_asked_in_the_words_of_the_table_and_of_the_heading_above() -> None:
    rental = "| Bicycle | Half day | Deposit |\n|---|---|---|\n| City bike | 12 euros | 50 euros |\n| Child bike | 6 euros | |"
    assert asked(rental, "en", ("Pedal Works: price list", "Rental")) == [
        ("pedal works rental", ""),
        ("pedal works rental city bike deposit", "50 euros"),
        ("pedal works rental city bike half day price", "12 euros"),
        ("pedal works rental child bike deposit", "50 euros"),
        ("pedal works rental child bike half day price", "6 euros"),
    ]
    assert [one.form for one in facts_of(rental, "en", ("Pedal Works: price list",))].count("blank") == 1
    tickets = "| Ticket | Price |\n|---|---|\n| Day ticket | 9 euros |\n| Wheelchairs | 1 euro |"
    assert asked(tickets, headings=("Harlow Museum",)) == [
        ("How much does the day ticket cost at Harlow Museum?", "9 euros"),
        ("harlow museum wheelchairs price", "1 euro"),
    ]
    stops = "| Haltestelle | Letzte Fahrt | Takt |\n|---|---|---|\n| Rathaus | 23:49 | 10 Minuten |"
    assert asked(stops, "de", ("Buslinie 12: Fahrplan", "Sonntag")) == [
        ("Buslinie 12 Sonntag", ""),
        ("Buslinie 12 Sonntag Rathaus Takt", "10 Minuten"),
    ]
    soup = "| Ingrédient | Quantité |\n|---|---|\n| Tomates | 800 g |"
    assert asked(soup, "fr", ("Ratatouille", "Ingrédients")) == [("ratatouille tomates quantité", "800 g")]
    hours = "| Day | Opens |\n|---|---|\n| Friday | 10:00 |"
    assert asked(hours, headings=("Altmoor Museum",)) == [
        ("When does Altmoor Museum open on Friday?", "10:00")
    ]


@for_each(
    "table",
    [
        "| A | price |\n|---|---|\n| Ann | 5 |\n| Ann | 6 euros |",
        "| set | rate |\n|---|---|\n| Wide | 0.97 [0.95, 0.98] |",
        "| room | holds |\n|---|---|\n| `api` | the two doors |",
        "| option | means |\n|---|---|\n| `compat` | `other` for the number of another tool |",
        "| Time | Notes |\n|---|---|\n| 9:00 | not on 3 holidays |",
    ],
)
def test_table_rows_that_make_no_natural_question_are_skipped(table: str) -> None:
    assert asked(table) == asked(table, headings=("Judging lamps in the dark",)) == []


def test_lines_with_a_label() -> None:
    text = "Small service: 69 euros\n**Replacing a tyre:** 18 euros\nNote: call before 9:00\n- Annual fee: 20 euros"
    assert asked(text, "en", ("Pedal Works: price list",)) == [
        ("How much does the small service cost at Pedal Works?", "69 euros"),
        ("pedal works replacing a tyre price", "18 euros"),
        ("pedal works annual fee", "20 euros"),
    ]
    manual = "- Weight: 7.4 kg\n- Colour: red\n- ☕ Brewing time: 40 seconds"
    assert asked(manual, "en", ("Brewmaster 300 user manual",)) == [
        ("brewmaster 300 weight", "7.4 kg"),
        ("brewmaster 300 brewing time", "40 seconds"),
    ]
    assert asked("Große Inspektion: 89 €", "de", ("Fahrradwerkstatt Lindner – Preisliste",)) == [
        ("Fahrradwerkstatt Lindner Große Inspektion Preis", "89 €")
    ]
    assert asked("Coupe homme : 24 €", "fr", ("Salon Mireille – Tarifs",)) == [
        ("salon mireille coupe homme prix", "24 €")
    ]
    assert asked("Weight: 7.4 kg", "en", ("Judging lamps in the dark",)) == []
    assert asked("Weight: 7.4 kg", "en", ("Brewmaster 300", "Parts", "The tank")) == []  # of the tank


@for_each(
    "language, title, heading, line, question",
    [
        ("en", "Aldbrook library", "Opening hours", "Monday to Friday: 9:00 to 19:00",
         "What are the opening hours of Aldbrook library from Monday to Friday?"),
        ("de", "Bücherei Eschwald", "Öffnungszeiten", "Samstag: 10:00–14:00 Uhr",
         "Bücherei Eschwald Öffnungszeiten Samstag"),
        ("fr", "Salon Mireille", "Horaires d'ouverture", "Samedi : 9 h – 17 h", "salon mireille horaires samedi"),
    ],
)  # fmt: skip
def test_opening_hours(language: str, title: str, heading: str, line: str, question: str) -> None:
    assert question in [found for found, _ in asked(line, language, (title, heading))]


def test_terms_of_a_glossary() -> None:
    line = "- **Core time**: the hours in which everybody can be reached"
    assert asked(line, headings=("Working", "Glossary")) == [
        ("What does “Core time” mean?", "the hours in which everybody can be reached")
    ]
    assert asked("- Kernzeit: die Zeit, in der alle da sind", "de", ("Arbeit", "Begriffe"))[0][0] == (
        "Was bedeutet „Kernzeit“?"
    )


def test_questions_of_the_document_are_asked_in_their_words() -> None:
    faq = "**How do I get a library card?**\nCome to the desk with a passport.\n\n"
    faq += "Q: Who may use the colour copier upstairs?\nA: All readers."
    assert asked(faq, headings=("Aldbrook library",)) == [
        ("How do I get a library card at Aldbrook library?", "Come to the desk with a passport."),
        ("Who may use the colour copier upstairs at Aldbrook library?", "All readers."),
    ]
    assert asked(faq) == []  # of which library?
    lines = "**Is there parking?** Yes, behind the house.\n**Can I bring my own food?** Yes, but no drinks."
    assert asked(lines, headings=("Altmoor Museum",)) == [
        ("Is there parking at Altmoor Museum?", "Yes, behind the house."),
        ("Altmoor Museum: Can I bring my own food?", "Yes, but no drinks."),
    ]
    for language, title, heading, question in (
        ("en", "Zenith Shop", "Do you sell vouchers?", "Zenith Shop: Do you sell vouchers?"),
        ("en", "Brewmaster 300", "Why is the light red?", "Brewmaster 300: Why is the light red?"),
        (
            "de",
            "Buslinie 12",
            "Darf ich mein Fahrrad mitnehmen?",
            "Buslinie 12: Darf ich mein Fahrrad mitnehmen?",
        ),
        (
            "fr",
            "Musée Larivière",
            "Peut-on prendre des photos ?",
            "Musée Larivière : Peut-on prendre des photos ?",
        ),
    ):
        assert asked("Ask at the till.", language, (title, heading)) == [(question, "Ask at the till.")]


@for_each(
    "heading, answer",
    [
        ("Why did it break?", "Run `lamps why` to see more."),
        ("How well are causes found?", "In nine of ten cases."),
        ("What's next?", "Read the other pages."),
        ("Which lamps do you sell in the shop?", "See the table above."),
        ("Which lamps do you sell in the shop?", "- Which ones are red?\n- Which ones are blue?"),
        ("Which lamps do you sell in the shop?", "They are in [the list](lamps.md)."),
        (
            "Which lamps do you sell in the shop?",
            "All of the lamps of the three makers that you find listed [here](a.md).",
        ),
        ("Which lamps do you sell in the shop?", "For more information, ask the staff."),
    ],
)
def test_questions_without_an_answer_of_their_own_are_skipped(heading: str, answer: str) -> None:
    assert asked(answer, headings=("Lamps", heading)) == []


STEPS = "1. Fill the tank.\n2. Press the button."


@for_each(
    "heading, language, question",
    [
        ("Descaling the machine", "en", "How do I descale the machine?"),
        ("How to send an item back", "en", "How do I send an item back?"),
        ("Clean your milk nozzle", "en", "How do I clean my milk nozzle?"),
        ("Disable fixes", "en", "How do I disable fixes?"),
        ("Disable authentication", "en", None),
        ("Request body on methods", "en", None),
        ("Add it here", "en", None),
        ("Opening hours", "en", None),
        ("Move from Lamps 2: a story", "en", None),
        ("Use batches at half the price of all calls", "en", None),
        ("Einen Ausweis beantragen", "de", "Wie kann ich einen Ausweis beantragen?"),
        ("Reisekosten abrechnen", "de", "Wie kann ich Reisekosten abrechnen?"),
        ("Demander un remboursement", "fr", "Comment demander un remboursement ?"),
        ("Architecture et fonctionnalités", "fr", None),
    ],
)
def test_headings_that_name_a_task(heading: str, language: str, question: str | None) -> None:
    assert task_question(heading, STEPS, language, frozenset()) == question


def test_a_task_is_answered_by_its_whole_section() -> None:
    text = f"To descale the machine, follow the steps.\n\n{STEPS}"
    assert asked(text, "en", ("Brewmaster 300 user manual", "Descaling the machine")) == [
        ("How do I descale Brewmaster 300?", text)
    ]
    assert task_question("Measure the light", "A lamp is bright.", "en", frozenset()) is None
    assert task_question("Measure the light", "Now press the button.", "en", frozenset()) is None


def test_code_that_answers_keeps_its_indentation() -> None:
    text = "Write a file:\n\n```yaml\nlamps:\n  - name: Zenith\n```"
    assert [one.value for one in facts_of(text, headings=("Lamps", "Add a red table lamp"))] == [text]


PROSE = "The desk is on the ground floor. " * 5


@for_each(
    "headings, language, query",
    [
        (("Pedal Works: price list", "Repairs"), "en", "pedal works repairs"),
        (("Remote work policy", "Equipment"), "en", "remote work policy equipment"),
        (("Stadtbücherei Eschwald", "Gebühren"), "de", "Stadtbücherei Eschwald Gebühren"),
        (("Musée Larivière : questions fréquentes", "Les tarifs"), "fr", "musée larivière tarifs"),
        (("Quickstart", "Binary response content"), "en", None),
        (("Server behavior", "HTTP pipelining"), "en", "server behavior http pipelining"),
        (("Writing your pages", "Fenced code blocks"), "en", None),
        (("Server behavior", "Shutdown", "Grace period"), "en", "server behavior shutdown grace period"),
        (("Server behavior", "What happens?", "Grace period"), "en", None),
        (("Server behavior", "Overview", "Grace period"), "en", None),
        (("Ground floor", "Use a red desk"), "en", None),
        (
            ("Information security policy", "Policy compliance"),
            "en",
            "information security policy compliance",
        ),
        (("Configuration", "`site_name`"), "en", "configuration site_name"),
        (("Quickstart", "Cookies"), "en", None),
        (("Pedal Works", "Overview"), "en", None),
        (("Pedal Works", "What you can do if all our lamps fail"), "en", None),
        (("Pedal Works", "Our repairs"), "en", None),
        (("Pedal Works", "With a model"), "en", None),
        (("Pedal Works", "Units, tools, users"), "en", None),
    ],
)
def test_search_words_of_a_section(headings: tuple[str, ...], language: str, query: str | None) -> None:
    text = f"{PROSE}Here: {headings[-1]}."
    found = [one for one in facts_of(text, language, headings) if one.form == "search"]
    assert [(one.question, one.value) for one in found] == ([(query, "")] if query else [])


def test_the_words_of_a_heading_are_those_of_its_section() -> None:
    (found,) = facts_of(f"{PROSE}Stop with the grace period.", headings=("Server behavior", "Grace period"))
    assert found.question == "server behavior grace period"
    assert facts_of(f"{PROSE}See the server.", headings=("Server behavior", "The judge's habits")) == []
    link = "The grace period of the server is on the page of [the guard](guard.md), which stops it."
    assert facts_of(link, headings=("Server behavior", "Grace period")) == []
    assert facts_of("See [the list](lamps.md).", headings=("Server behavior", "The list")) == []


def test_search_words() -> None:
    assert search_words("en", "Pedal Works", "", "the *Large* service", "price") is None
    assert (
        search_words("en", "Pedal Works", "", "the large service", "price")
        == "pedal works large service price"
    )
    assert search_words("de", "Buslinie 12", "Letzte Fahrt") == "Buslinie 12 Letzte Fahrt"
    assert search_words("en", "mkdocs", "MkDocs `on_env`") == "mkdocs on_env"
    assert search_words("en", "lamps") is None
    assert is_term("Late returns")
    assert not is_term("in conclusion")
    assert not is_term("what we do")


def test_words_with_a_capital_that_are_no_names() -> None:
    ordinary = small_words(["Send a request. The request of Python is read. See `python` and python.org."])
    assert "request" in ordinary
    assert "python" not in ordinary
    assert in_small("Send a Python Request", ordinary) == "Send a Python request"


def test_the_start_page_names_what_the_pages_are_about() -> None:
    pages = [
        DraftPassage("a", "index.md", "Lamps for all.", ("lamplib",)),
        DraftPassage("b", "guide.md", f"{PROSE}A late one returns.", ("Guide", "Late returns")),
        DraftPassage(
            "d", "add.md", f"{STEPS} Add or change the colour.", ("Add a lamp", "Change the colour")
        ),
        DraftPassage("e", "sub/index.md", f"{PROSE}The opening time.", ("Night Hours", "Opening time")),
    ]
    assert [fact.question for fact in extract_facts(pages, ["en"] * 4)] == [
        "lamplib late returns",
        "lamplib add a lamp change the colour",
        "lamplib night hours opening time",
    ]


def test_documents_that_nobody_asks_about_give_no_fact() -> None:
    for name in ("docs/CHANGELOG.md", "LICENSE.txt", "contributing.md", "release-notes.md"):
        passage = DraftPassage("p", name, "Zenith Ltd was founded in 1987.", ("Zenith Ltd", "Founded"))
        assert extract_facts([passage], ["en"]) == ()


def test_code_is_not_read_as_prose() -> None:
    assert facts_of("```\nThe price of Zenith 3 is 490 euros.\n```") == []
