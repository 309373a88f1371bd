from tests.testing.for_each import for_each

from ragstone.judges.local.abstention import abstention

DECLINED = [
    "I don't know.",
    "I do not know the answer to that question.",
    "I'm sorry, but I cannot answer this question based on the provided context.",
    "The passages do not mention when the tower was built.",
    "The provided documents don't contain any information about refunds.",
    "Unfortunately, the context does not say who signed the treaty. Please contact support.",
    "There is no information on this in the sources.",
    "This is not mentioned in the text.",
    "I am unable to find the price in the documents. Would you like me to look elsewhere?",
    "We can't tell from the article.",
    "Not enough information is given.",
    "The question cannot be answered from these passages.",
    "I'm not sure.",
    "Sorry, I could not find anything about opening hours; you may want to check the website.",
    "Unknown.",
]
ANSWERED = [
    "It was built in 1889.",
    "No, it does not open on Sundays.",
    "The warranty does not cover water damage.",
    "Dogs are not allowed.",
    "I think it was 1889, but I am not sure.",
    "The passages do not give the price. It opened in 1902.",
    "It opened in 1902, but the documents do not say who built it.",
    "You can return it within 30 days.",
    "Breakfast is not included in the price.",
    "She was unable to attend because of illness.",
    "Nobody lives there.",
    "Yes.",
]


@for_each("answer", DECLINED)
def test_a_refusal_is_recognised(answer: str) -> None:
    declined, reason = abstention(answer)
    assert declined
    assert reason.startswith("it says: ")


@for_each("answer", ANSWERED)
def test_answers_are_not_declined(answer: str) -> None:
    assert not abstention(answer)[0]


def test_a_long_text_is_read_in_linear_time() -> None:
    assert not abstention("The documents do, I do, we did. It is red. " * 3_000)[0]
    assert not abstention("")[0]
