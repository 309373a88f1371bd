import re

from hypothesis import given
from hypothesis import strategies as st
from tests.laws.test_prompts import BAR, NASTY
from tests.testing.for_each import for_each

from ragstone.prompts import JudgeClaims
from ragstone.prompts.base.guidance import LONGEST_RULE, DecidedExample, Guidance

EXAMPLE = DecidedExample(
    "c1", (("input", "How long?"), ("passages", ("Two years.",))), "fail", "No condition."
)


def rendered_with(guidance: Guidance) -> str:
    return JudgeClaims(evidence_texts=("It lasts.",), claims=("It lasts.",), guidance=guidance).render().user


def test_examples_and_rules_precede_the_evidence() -> None:
    assert rendered_with(Guidance((EXAMPLE,), ("An answer without the condition fails.",))).startswith(
        "People have decided on the 1 answers below. Judge what follows as strictly and as leniently as they did; "
        "take no facts from these examples.\n\n"
        "example 1, input:\n| How long?\n\n"
        "example 1, passages:\n1| Two years.\n\n"
        "example 1, why:\n| No condition.\n\n"
        "example 1 was decided by people: fail.\n\n"
        "People decide by these rules:\n- An answer without the condition fails.\n\n"
        "passages:\n1| It lasts."
    )


def test_without_guidance_nothing_is_shown() -> None:
    plain = JudgeClaims(evidence_texts=("It lasts.",), claims=("It lasts.",))
    assert rendered_with(Guidance()) == plain.render().user
    assert not Guidance()


def unfenced_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not BAR.match(line)]


@for_each("text", NASTY)
def test_no_text_of_an_example_gets_out_of_its_fence(text: str) -> None:
    nasty = Guidance(
        (DecidedExample("c1", (("input", text), ("passages", (text, text))), "pass", text or "-"),)
    )
    plain = Guidance((DecidedExample("c1", (("input", "a"), ("passages", ("a", "a"))), "pass", "a"),))
    assert unfenced_lines(rendered_with(nasty)) == unfenced_lines(rendered_with(plain))


@given(st.text())
def test_a_rule_is_one_line_that_begins_with_a_dash(text: str) -> None:
    lines = rendered_with(Guidance(rules=(text,))).partition("rules:\n")[2].split("\n\n")[0].splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("-")
    assert len(lines[0]) <= LONGEST_RULE + 2
    assert not re.search("[\u202e\x00\ud800]", lines[0])
