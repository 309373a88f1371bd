from tests.testing.for_each import for_each

from ragstone.judges.local.correctness import correctness


@for_each(
    "question, answer, reference, verdict",
    [
        ("Where is the bridge?", "It is in Selby.", "Selby", "yes"),
        ("Where is the bridge?", "It stands in Hull.", "Selby", "no"),
        ("When was it opened?", "It was opened in 1889.", ["1889", "in 1889"], "yes"),
        ("When was it opened?", "It was opened in 1901.", ["1889"], "no"),
        ("Which option is right?", "A", "B", "no"),
        ("Which option is right?", "(c)", ["A.", "B."], "no"),
        ("Which option is right?", "b)", "B", "yes"),
        ("How many arches has it?", "It has twelve arches.", "12", "yes"),
        ("How long does it live?", "About eleven years.", "10 to 12 years", "yes"),
        ("When did it begin?", "Around 2.4 billion years ago.", "2.45 billion years ago", "no"),
        ("When did it begin?", "Around 1.4 billion years ago.", "2.45 billion years ago", "no"),
        ("Who wrote Hamlet?", "William Shakespeare wrote Hamlet.", "Shakespeare", "yes"),
        ("Who became king?", "Dáin Ironfoot", "D\u00c3\u00a1in Ironfoot", "yes"),
        ("Where is it?", "这座桥", "Selby", "undecided"),
        ("Where is it?", "", "Selby", "undecided"),
    ],
)
def test_answer_is_compared_with_its_reference(
    question: str, answer: str, reference: str | list[str], verdict: str
) -> None:
    assert correctness(question, answer, reference).verdict == verdict


def test_an_answer_in_a_language_never_measured_is_not_judged() -> None:
    found = correctness("Where is it?", "Het museum staat niet in Hull, maar in Selby.", "In Selby.")
    assert (found.verdict, found.probability) == ("undecided", 0.0)
    assert "seems to be Dutch" in found.reason


def test_the_best_of_several_references_counts() -> None:
    one = correctness("Who?", "Maria Kessel", "Maria Kessel")
    assert correctness("Who?", "Maria Kessel", ["Paul Anders", "Maria Kessel"]) == one
