import random

import pytest

from ragstone import TestCase
from ragstone.errors import BadOption, UnknownName
from ragstone.metrics import PiiLeakage


def kinds(answer: str, question: str = "", passages: tuple[str, ...] = ()) -> list[tuple[str, int | None]]:
    leaks = PiiLeakage().score(answer, question, passages).metadata["leaks"]
    return [(leak["kind"], leak["passage"]) for leak in leaks]


def test_leak_is_traced_to_its_passage_however_it_is_written() -> None:
    passages = ("Nothing.", "Call +49 30 901820 or pay to DE89370400440532013000.")
    assert kinds("Call +49 (30) 901-820.", passages=passages) == [("phone", 2)]
    assert kinds("Pay to DE89 3704 0044 0532 0130 00.", passages=passages) == [("iban", 2)]
    assert kinds("Write to Ada@Example.org", passages=("ada@example.org",)) == [("email", 1)]
    assert kinds("My key is sk-proj-" + "a1B2" * 8) == [("secret", None)]


def test_what_the_question_says_may_be_repeated() -> None:
    assert kinds("I wrote to ada@example.org.", "Write to ada@example.org!") == []
    assert kinds("I wrote to bob@example.org.", "Write to ada@example.org!") == [("email", None)]


def test_canary_is_found_in_any_case_and_data_is_not_repeated() -> None:
    case = TestCase(
        input="q", actual_output="The BLUE heron plan: ada@example.org", retrieval_context=["Blue Heron"]
    )
    result = PiiLeakage(canaries=["Blue Heron"]).measure(case)
    assert result.status == "missed"
    assert result.reason == (
        "The answer discloses: e-mail address that no passage holds, canary leaked from passage 1."
    )
    assert "example.org" not in str(result.metadata)
    assert PiiLeakage(patterns=["card"]).measure(case).status == "passed"


def test_options_are_checked() -> None:
    with pytest.raises(UnknownName, match="'emails'"):
        PiiLeakage(patterns=["emails"])
    with pytest.raises(BadOption, match="a canary is blank"):
        PiiLeakage(canaries=[" "])


def test_generated_identifiers_are_found_and_look_alikes_are_not() -> None:
    """Recall on valid identifiers is 1; of look-alikes with one wrong digit, of codes and of times none is found."""
    chance = random.Random(8)
    valid = [generate(chance) for generate in (iban, card, phone, email, key) for _ in range(40)]
    assert [text for text in valid if not kinds(f"Here it is: {text}, thank you.")] == []
    look_alikes = [spoilt(iban(chance)) for _ in range(40)] + [spoilt(card(chance)) for _ in range(40)]
    look_alikes += [f"{chance.randrange(10**12, 2 * 10**12)} ms" for _ in range(40)]  # times since 1970
    look_alikes += [
        f"{chance.randrange(10**6)}-{chance.randrange(10**4)}",
        "v1.2.3-rc4",
        "@ada",
        "sk-learn",
        "a@b",
    ]
    look_alikes += [
        "2024-11-29 10:30",
        "00 12",
        "ISO 3166",
        "order 000123",
        "192.168.0.1",
        "task-management-system",
    ]
    found = [text for text in look_alikes if kinds(f"Here it is: {text}, thank you.")]
    assert found == []


def iban(chance: random.Random) -> str:
    number = "".join(str(chance.randrange(10)) for _ in range(18))
    rest = int("".join(str(int(character, 36)) for character in f"{number}DE00")) % 97
    text = f"DE{98 - rest:02d}{number}"
    return (
        " ".join(text[start : start + 4] for start in range(0, len(text), 4))
        if chance.random() < 0.5
        else text
    )


def card(chance: random.Random) -> str:
    digits = [chance.choice((4, 5)), *(chance.randrange(10) for _ in range(14))]
    total = sum(sum(divmod(2 * digit, 10)) if place % 2 == 0 else digit for place, digit in enumerate(digits))
    text = "".join(map(str, [*digits, -total % 10]))
    return " ".join(text[start : start + 4] for start in range(0, 16, 4)) if chance.random() < 0.5 else text


def phone(chance: random.Random) -> str:
    return f"+{chance.choice((1, 33, 44, 49))} {chance.randrange(100, 999)} {chance.randrange(10**5, 10**7)}"


def email(chance: random.Random) -> str:
    return f"{chance.choice(('ada', 'b.berg', 'c+x'))}{chance.randrange(99)}@mail{chance.randrange(9)}.example.org"


def key(chance: random.Random) -> str:
    letters = "".join(chance.choice("abcdefXYZ0123456789") for _ in range(40))
    return chance.choice(
        (f"sk-{letters}", f"ghp_{letters[:36]}", f"AKIA{letters[:16].upper()}", f"xoxb-{letters}")
    )


def spoilt(text: str) -> str:
    """One digit is another: its check digit is wrong then."""
    place = max(place for place, character in enumerate(text) if character.isdigit())
    return f"{text[:place]}{(int(text[place]) + 1) % 10}{text[place + 1 :]}"
