import hashlib
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone import load_dataset
from ragstone.judges.local.support import support

PASSAGES = (
    (
        "The Orrin Bridge was opened in 1889 and is 330 metres long. It crosses the river Tamble at Selby. "
        "The engineer Maria Kessel designed it."
    ),
    "Apples keep for six weeks in a cool cellar. Pears do not keep as long.",
)
CLAIMS = (
    "The Orrin Bridge was opened in 1889.",
    "The Orrin Bridge was opened in 1899.",
    "Apples keep for six weeks in a cool cellar.",
    "The bridge was painted green by volunteers.",
    "Pears keep as long.",
    "🎉",
    "埃菲尔铁塔",
    "",
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Orrin Bridge was opened in 1889.", "yes"),
        ("Maria Kessel designed it.", "yes"),
        ("The bridge is 330 metres long.", "yes"),
        ("The Orrin Bridge was opened in 1899.", "no"),
        ("The Orrin Bridge was not opened in 1889.", "no"),
        ("The engineer Paul Anders designed it.", "no"),
        ("Apples keep for eight weeks in a cool cellar.", "no"),
        ("Volunteers repainted the railings last spring.", "idk"),
    ],
)
def test_supported_contradicted_and_unmentioned_claims_are_distinguished(claim: str, verdict: str) -> None:
    [found] = support([claim], PASSAGES)
    assert found.verdict == verdict, found


def test_a_verdict_names_the_passage_and_the_span_it_rests_on() -> None:
    [found] = support(["Apples keep for six weeks in a cool cellar."], PASSAGES)
    assert found.passage == 2
    assert found.span is not None
    assert PASSAGES[1][slice(*found.span)].startswith("Apples keep for six weeks")


@pytest.mark.parametrize(
    ("claim", "passages", "reason"),
    [
        ("Anything.", [], "no evidence"),
        ("Anything.", ["", " "], "no evidence"),
        ("", PASSAGES, "no words"),
        ("🎉🎉", PASSAGES, "no words"),
        ("埃菲尔铁塔在巴黎。", PASSAGES, "Latin script"),
        ("The tower stands in Paris.", ["埃菲尔铁塔在巴黎。"], "Latin script"),
        ("La torre si trova a Parigi ed è alta più di trecento metri.", PASSAGES, "seems to be Italian"),
        (
            "The tower stands in Paris.",
            ["Wieża, która stoi w Paryżu, nie jest otwarta w nocy."],
            "seems to be Polish",
        ),
    ],
)
def test_unjudgeable_claim_is_unknown_with_a_reason(claim: str, passages: list[str], reason: str) -> None:
    [found] = support([claim], passages)
    assert (found.verdict, found.passage, found.span) == ("idk", None, None)
    assert reason in found.reason


def test_verdicts_do_not_depend_on_the_batch() -> None:
    together = support(CLAIMS, PASSAGES)
    assert together == [support([claim], PASSAGES)[0] for claim in CLAIMS]
    order = random.Random(3).sample(range(len(CLAIMS)), len(CLAIMS))
    assert [together[i] for i in order] == support([CLAIMS[i] for i in order], PASSAGES)


def test_two_processes_agree_to_the_last_bit() -> None:
    code = f"from ragstone.judges.local.support import support; print(support({CLAIMS!r}, {PASSAGES!r}))"
    digests = {
        hashlib.sha256(
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
        ).hexdigest()
        for _ in range(2)
    }
    assert len(digests) == 1


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.lists(st.text(max_size=300), max_size=3))
def test_any_text_gets_a_sane_verdict(claim: str, passages: list[str]) -> None:
    [found] = support([claim], passages)
    assert found.verdict in {"yes", "no", "idk"}
    assert 0 <= found.probability <= 1
    if found.passage is not None:
        assert found.span is not None
        start, end = found.span
        assert 0 <= start < end <= len(passages[found.passage - 1])


def test_control_characters_and_long_contexts_are_survived() -> None:
    noise = "\x00\x07\u202e\ufeff" * 50
    long = "The quick auditor filed another report without any pause " * 1800
    [one, other] = support(["The Orrin Bridge was opened in 1889." + noise] * 2, [noise, long, PASSAGES[0]])
    assert one == other
    assert one.passage == 3


POOL = "The pool is heated all year. Children under six swim free of charge, everybody else pays 4 euros."
LIBRARY = "The library closes at noon on Saturdays. Books can be returned at any time through the hatch at the door."


@pytest.mark.parametrize(
    ("claim", "passage", "verdict"),
    [
        pytest.param(
            "An adult pays 4 euros.", POOL, "yes", marks=pytest.mark.xfail(reason="taken for contradicted")
        ),
        ("There is a sauna.", POOL, "idk"),
        ("The pool is unheated in winter.", POOL, "no"),
        ("Books can only be returned during opening hours.", LIBRARY, "no"),
    ],
)
def test_short_evidence_is_judged_by_meaning(claim: str, passage: str, verdict: str) -> None:
    assert support([claim], [passage])[0].verdict == verdict


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("A lorry that is 44 weeks late is free.", "A lorry that is more than 40 weeks late is free."),
        ("A bag of 12 kg travels free.", "A bag of under 20 kg travels free."),
        ("A child of 9 pays half.", "A child of less than 12 pays half."),
    ],
)
def test_a_number_within_a_strict_bound_is_supported_by_it(claim: str, passage: str) -> None:
    assert support([claim], [passage])[0].verdict == "yes"


def test_a_number_within_a_bound_is_supported_by_it_and_one_outside_is_not() -> None:
    rule = "Ferrysync 3.0 requires PostgreSQL 14 or newer."
    inside, outside = support(
        ["Ferrysync 3.0 runs with PostgreSQL 15.", "Ferrysync 3.0 runs with PostgreSQL 12."], [rule]
    )
    assert inside.verdict == "yes"
    assert outside.verdict != "yes"


REGATTA = (
    "Report from the regatta. The boat of the Harbour School won the first prize, 200 euros, although its mast had "
    "broken on the way. Second came the Night Ferry, third the pupils of Dove Lane. The prizes were given by the "
    "singer Lola Quartz. The school gives its money to the lifeboat crew, who are saving for a new engine. 'They "
    "towed us up the river when our rope tore,' said the teacher. The boat will be on show in the shopping arcade "
    "until the end of the month, and from then on in the hall of the school."
)
GARDEN = "The garden behind it has eighty kinds of roses. " * 12


def test_by_words_changes_the_verdict() -> None:
    claim = "Children of five need no ticket."
    for passages in ([POOL], [POOL, GARDEN]):
        assert support([claim], passages) != support([claim], passages, by_words=True)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Everyone from the age of six pays 4 euros.", "yes"),
        ("There is a sauna.", "idk"),
        ("An adult pays 5 euros.", "no"),
    ],
)
def test_beside_long_evidence_the_nearest_sentences_are_read(claim: str, verdict: str) -> None:
    assert support([claim], [GARDEN, POOL])[0].verdict == verdict


def test_beside_long_evidence_a_contradiction_must_be_shown_by_words() -> None:
    claim = "Books can only be returned during opening hours."
    assert support([claim], [LIBRARY])[0].verdict == "no"
    assert support([claim], [LIBRARY, GARDEN])[0].verdict == "idk"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The broken mast did not keep the boat of the Harbour School from winning.", "yes"),
        ("The boat of the Harbour School did not win.", "no"),
        ("The first prize was 250 euros.", "no"),
    ],
)
def test_beside_long_evidence_a_sure_encoder_outweighs_a_seeming_negation(claim: str, verdict: str) -> None:
    assert support([claim], [REGATTA])[0].verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Two first prizes like that of the Harbour School would come to 400 euros.", "yes"),
        ("Two first prizes like that of the Harbour School would come to 300 euros.", "no"),
        ("One hundred and ninety euros were won.", "no"),
    ],
)
def test_new_number_must_be_calculable_from_long_evidence(claim: str, verdict: str) -> None:
    assert support([claim], [REGATTA])[0].verdict == verdict


def test_paraphrase_without_common_words_needs_a_sure_encoder() -> None:
    sure, unsure = support(["A famous vocalist handed out trophies.", "Proceeds go to charity."], [REGATTA])
    assert (sure.verdict, unsure.verdict) == ("yes", "idk")


def test_encoder_doubt_of_a_near_copy_counts_less() -> None:
    [case] = [case for case in load_dataset("demo") if case.id == "insurance-water-excess"]
    near, doubtful = support(
        [
            "Damage to your belongings by water escaping from a washing machine is insured.",
            "You bear the excess of 150 euros yourself.",
        ],
        case.retrieval_context or (),
    )
    assert near.probability < doubtful.probability < 0.4
    assert (near.verdict, doubtful.verdict) == ("yes", "idk")


def test_contradiction_by_meaning_quotes_the_sentence() -> None:
    [found] = support(["Books can only be returned during opening hours."], [LIBRARY])
    assert found.reason.startswith('the passage says otherwise: "Books can be returned at any time')


ZOO = "The zoo opens at nine every day. The aquarium next door closes at six, and dogs must stay outside."


@pytest.mark.parametrize(
    ("claim", "doubted"),
    [
        ("The zoo opens at nine every day, and the aquarium closes at ten.", "The aquarium closes at ten."),
        ("Its director was born in Norway, and the zoo opens at nine.", "Its director was born in Norway."),
    ],
)
def test_a_reason_quotes_the_clause_in_doubt(claim: str, doubted: str) -> None:
    (found,) = support([claim], [ZOO])
    assert found.verdict != "yes"
    assert found.reason.endswith(f'; in doubt: "{doubted}"')


def test_a_long_clause_in_doubt_is_shortened() -> None:
    invented = "its director was born in a small town in the far north of Norway " + "where nobody stays " * 8
    (found,) = support([f"The zoo opens at nine, and {invented}for long."], [ZOO])
    assert found.reason.endswith(' …"')
    assert len(found.reason) < 300


def test_single_clause_is_not_quoted_as_in_doubt() -> None:
    (found,) = support(["The director was born in Norway."], [ZOO])
    assert "in doubt" not in found.reason
