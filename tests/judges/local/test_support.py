import hashlib
import random
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each

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


@for_each(
    "claim, verdict",
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


@for_each(
    "claim, passages, reason",
    [
        ("Until 5 pm.", PASSAGES, "only its question completes"),
        ("Paris", PASSAGES, "only its question completes"),
        ("It is in Selby.", PASSAGES, "only its question completes"),
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
def test_unjudgeable_claim_is_undecided_with_a_reason(claim: str, passages: list[str], reason: str) -> None:
    [found] = support([claim], passages)
    assert (found.verdict, found.passage, found.span) == ("undecided", None, None)
    assert reason in found.reason


@for_each("passages", [[], ["", " "]])
def test_without_evidence_nothing_is_mentioned(passages: list[str]) -> None:
    [found] = support(["The tower stands in Paris."], passages)
    assert (found.verdict, found.probability) == ("idk", 0.0)
    assert "no evidence" in found.reason


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
    assert found.verdict in {"yes", "no", "idk", "undecided"}
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


@for_each(
    "claim, passage, verdict",
    [
        ("An adult pays 4 euros.", POOL, "undecided"),
        ("There is a sauna.", POOL, "idk"),
        ("Books can only be returned during opening hours.", LIBRARY, "no"),
    ],
)
def test_short_evidence_is_judged_by_meaning(claim: str, passage: str, verdict: str) -> None:
    assert support([claim], [passage])[0].verdict == verdict


@for_each(
    "claim, passage",
    [
        ("A lorry that is 44 weeks late is free.", "A lorry that is more than 40 weeks late is free."),
        ("A bag of 12 kg travels free.", "A bag of under 20 kg travels free."),
        ("Ferrysync 3.0 runs with PostgreSQL 15.", "Ferrysync 3.0 requires PostgreSQL 14 or newer."),
    ],
)
def test_number_within_a_bound_is_not_contradicted_by_it(claim: str, passage: str) -> None:
    [found] = support([claim], [passage])
    assert found.verdict == "undecided"
    assert "range" in found.reason


def test_number_outside_of_a_bound_is_contradicted() -> None:
    rule = "Ferrysync 3.0 requires PostgreSQL 14 or newer."
    assert support(["Ferrysync 3.0 runs with PostgreSQL 12."], [rule])[0].verdict == "no"


REGATTA = (
    "Report from the regatta. The boat of the Harbour School won the first prize, 200 euros, although its mast had "
    "broken on the way. Second came the Night Ferry, third the pupils of Dove Lane. The prizes were given by the "
    "singer Lola Quartz. The school gives its money to the lifeboat crew, who are saving for a new engine. 'They "
    "towed us up the river when our rope tore,' said the teacher. The boat will be on show in the shopping arcade "
    "until the end of the month, and from then on in the hall of the school."
)
GARDEN = "The garden behind it has eighty kinds of roses. " * 12


def test_beside_long_evidence_the_nearest_sentences_are_read() -> None:
    [found] = support(["Books can only be returned during opening hours."], [LIBRARY, GARDEN])
    assert (found.verdict, found.passage) == ("no", 1)


@for_each(
    "claim", ["A famous vocalist handed out trophies.", "The broken mast did not keep the boat from winning."]
)
def test_beside_long_evidence_a_paraphrase_is_supported(claim: str) -> None:
    assert support([claim], [REGATTA])[0].verdict == "yes"


@for_each("total", [300, 400])
def test_beside_long_evidence_a_sum_is_undecided(total: int) -> None:
    claim = f"Two first prizes like that of the Harbour School would come to {total} euros."
    [found] = support([claim], [REGATTA])
    assert found.verdict == "undecided"
    assert "calculated" in found.reason


def test_contradiction_by_meaning_quotes_the_sentence() -> None:
    [found] = support(["Books can only be returned during opening hours."], [LIBRARY])
    assert found.reason.startswith('the passage says otherwise: "Books can be returned at any time')


ZOO = "The zoo opens at nine every day. The aquarium next door closes at six, and dogs must stay outside."


@for_each(
    "claim, doubted",
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
