from tests.testing.for_each import for_each

from ragstone.judges.local.claim_support import contradiction
from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import support

CONTEXTS = ["The Orrin Bridge was opened in 1889.", "Apples keep for six weeks in a cool cellar."]


def test_only_the_context_that_denies_the_answer_says_no() -> None:
    verdicts = contradiction("The Orrin Bridge was opened in 1899.", CONTEXTS)
    assert [found.verdict for found in verdicts] == ["no", "idk"]
    assert "1889" in verdicts[0].reason


def test_a_context_that_says_the_same_agrees() -> None:
    verdicts = contradiction("The Orrin Bridge was opened in 1889.", CONTEXTS)
    assert verdicts[0].verdict == "yes"
    assert verdicts[0].passage == 1


def test_context_that_nothing_rests_on_is_not_mentioned() -> None:
    verdicts = contradiction("The Orrin Bridge was opened in 1889.", CONTEXTS)
    assert (verdicts[1].verdict, verdicts[1].passage) == ("idk", None)


def test_language_that_is_not_read_is_undecided_for_every_context() -> None:
    verdicts = contradiction("La torre si trova a Parigi ed è alta più di trecento metri.", CONTEXTS)
    assert [found.verdict for found in verdicts] == ["undecided"] * 2


@for_each(
    "answer",
    [
        "The Orrin Bridge was opened in 1899.",
        "Apples keep for eight weeks in a cool cellar. The Orrin Bridge was opened in 1889.",
        "The bridge was painted green by volunteers.",
    ],
)
def test_hallucination_and_faithfulness_agree_on_each_sentence(answer: str) -> None:
    texts = [claim.text for claim in claims(answer)]
    single = {found.passage: found.verdict for found in support(texts, CONTEXTS) if found.verdict == "no"}
    contexts = contradiction(answer, CONTEXTS)
    assert {n for n, found in enumerate(contexts, 1) if found.verdict == "no"} == set(single)
