from tests.testing.for_each import for_each

from ragstone.judges.local.completion import complete, is_terse


@for_each(
    "question, answer, expected",
    [
        ("Can I cancel by phone?", "Yes.", "I can cancel by phone."),
        ("Can I cancel by phone?", "No, sorry.", "I can not cancel by phone."),
        ("Is the pool open on Mondays?", "No.", "The pool is not open on Mondays."),
        (
            "Hi! I have a ticket. Is breakfast included in the price?",
            "No",
            "Breakfast is not included in the price.",
        ),
        ("Does the hotel have a pool?", "Yes", "The hotel does have a pool."),
        ("Is the capital of Australia Sydney?", "No", "The capital of Australia is not Sydney."),
        ("When is the desk open on Saturdays?", "Until 5 pm.", "The desk is open on Saturdays until 5 pm."),
        ("How many rooms does the hotel have?", "206", "The hotel does have 206 rooms."),
        ("How many people live in Bern?", "134,000", "134,000 people live in Bern."),
        ("How tall is the lamp?", "40 metres", "The lamp is 40 metres tall."),
        ("How much does a day ticket cost?", "12 euros", "A day ticket does cost 12 euros."),
        ("Who wrote Faust?", "Goethe", "Goethe wrote Faust."),
        ("Who is the director of the museum?", "Lena Voss", "The director of the museum is Lena Voss."),
        ("Which city hosted the games in 1952?", "Helsinki", "Helsinki hosted the games in 1952."),
        ("Which plan includes backups?", "The Pro plan", "The Pro plan includes backups."),
        ("What is included in the plan?", "10 GB storage", "10 GB storage is included in the plan."),
        ("What is the fee for late payment?", "5 euros", "The fee for late payment is 5 euros."),
        ("When did the war end?", "1945", "The war did end in 1945."),
        ("In which year was the bridge built?", "1932", "The bridge was built in 1932."),
        ("Where does the iron tower stand?", "Paris", "The iron tower does stand in Paris."),
        ("True or false: a wet rope is light.", "False", "It is not true that a wet rope is light."),
        ("True or false: a wet rope is light.", "True", "A wet rope is light."),
    ],
)
def test_terse_answer_is_completed_by_its_question(question: str, answer: str, expected: str) -> None:
    assert complete(question, answer) == expected


@for_each(
    "question, answer",
    [
        ("Can I cancel by phone?", "A phone call is not sufficient."),
        ("Who wrote Faust?", "It was written by Goethe."),
        ("Tell me about the college.", "Public"),
        ("Was kostet eine Tageskarte?", "12 Euro"),
        ("", "206"),
        ("Why is it closed?", "Yes"),
    ],
)
def test_any_other_answer_stays_as_it_is(question: str, answer: str) -> None:
    assert complete(question, answer) == answer


@for_each("text", ["Yes.", "False", "206", "Until 5 pm.", "Goethe", "The Pro plan"])
def test_few_words_without_a_verb_are_terse(text: str) -> None:
    assert is_terse(text)


@for_each("text", ["", "It opens at nine.", "Prices cover breakfast.", "word " * 9])
def test_a_sentence_is_not_terse(text: str) -> None:
    assert not is_terse(text)
