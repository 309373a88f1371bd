import json
from dataclasses import replace

from tests.testing.for_each import for_each

from ragstone.prompts import (
    AttributeStatements,
    DeriveSteps,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    FillForm,
    JudgeAgreement,
    JudgePassages,
    JudgeUsefulness,
    Prompt,
)
from ragstone.prompts.base.combined import CombinedPrompt, evidence_key, may_join
from ragstone.prompts.base.guidance import Guidance
from ragstone.prompts.base.prompt import SPLIT

PASSAGES = ("The shop opens at 9.", "Parking is free.")
USEFUL = JudgeUsefulness(passages=PASSAGES, input="When?", expected_output="At 9.")
ATTRIBUTE = AttributeStatements(passages=PASSAGES, input="When?", expected_output="At 9.")
RELEVANT = JudgePassages(passages=PASSAGES, input="When?")
TRUTHS = ExtractTruths(passages=PASSAGES)
AGREEMENT = JudgeAgreement(contexts=PASSAGES, actual_output="At 9.")
CLAIMS = ExtractClaims(input="When?", text="At 9.")
STATEMENTS = ExtractStatements(input="When?", text="At 9.")
PAIR = CombinedPrompt(parts=(STATEMENTS, CLAIMS))


def key(prompt: Prompt) -> object:
    found = evidence_key(prompt)
    assert found is not None
    return found


def test_the_evidence_is_sent_once_and_every_task_is_there() -> None:
    user = CombinedPrompt(parts=(RELEVANT, TRUTHS)).render().user
    assert user.count("| The shop opens at 9.") == 1
    assert user.count("| When?") == 1
    assert "task_1, from passages, input, sentences (first words):\nDecide for each listed sentence" in user
    assert "task_2, from passages:\nList all facts the passages state" in user


def test_sentence_list_follows_evidence_and_is_named_by_its_task() -> None:
    user = CombinedPrompt(parts=(USEFUL, ATTRIBUTE)).render().user
    assert user.startswith(USEFUL.render().user.removesuffix(USEFUL.task()))
    assert "expected_output:\n| At 9.\n\nits sentences (first words):\n1| At 9.\n\nDo 2 tasks" in user
    assert "task_1, from passages, input, expected_output:\n" in user
    assert "task_2, from passages, input, expected_output, its sentences (first words):\n" in user


def test_a_rule_that_two_tasks_share_is_written_once() -> None:
    user = PAIR.render().user
    first, second = user.split("\n\ntask_1, ")[1].split("\n\ntask_2, ")
    assert SPLIT in first
    assert SPLIT not in second
    assert "Split as in task_1.\n" in second


def test_combined_schema_nests_part_schemas() -> None:
    schema = PAIR.schema()
    assert schema["properties"] == {"task_1": STATEMENTS.schema(), "task_2": CLAIMS.schema()}
    assert schema["required"] == ["task_1", "task_2"]
    assert schema["additionalProperties"] is False


def test_each_part_reads_its_own_field_by_its_own_labels() -> None:
    prompt = CombinedPrompt(parts=(USEFUL, ATTRIBUTE))
    decisions = [{"item": n, "reason": "r", "verdict": "useful"} for n in (1, 2)]
    supported = [{"item": 1, "passage": 2, "reason": None, "verdict": "unsupported"}]
    text = prompt.joined([json.dumps({"verdicts": decisions}), json.dumps({"verdicts": supported})])
    useful, attributed = prompt.parse(text).answers
    assert [one.verdict for one in useful.verdicts] == ["yes", "yes"]
    assert (attributed.verdicts[0].verdict, attributed.verdicts[0].statement) == ("no", "At 9.")
    assert prompt.parse(f"Here it is:\n```json\n{text}\n```").answers == (useful, attributed)


@for_each(
    "text, usable",
    [
        ('{"task_1": {"statements": ["s"]}}', [True, False]),
        ('{"task_1": {"statements": "s"}, "task_2": {"claims": []}}', [False, True]),
        ('{"task_1": {"statements": ["s"]}, "task_2": {"claims": ["c"], "more": 1}}', [True, False]),
        ('{"task_1": {"statements": ["s"]}, "task_2": {"claims": ["c"', [False, False]),
        ('{"statements": ["s"]}', [False, False]),
        ("[1, 2]", [False, False]),
        ("I would rather not.", [False, False]),
    ],
)
def test_missing_or_invalid_field_gives_no_answer(text: str, usable: list[bool]) -> None:
    read = PAIR.parse(text)
    assert [answer is not None for answer in read.answers] == usable


def test_missing_verdict_gives_no_answer() -> None:
    prompt = CombinedPrompt(parts=(USEFUL, ATTRIBUTE))
    one = {"verdicts": [{"item": 1, "reason": "r", "verdict": "useful"}]}
    assert prompt.parse(json.dumps({"task_1": one})).answers == (None, None)


def test_prompts_on_equal_evidence_share_an_evidence_key() -> None:
    assert key(USEFUL) == key(ATTRIBUTE)
    assert key(RELEVANT) == key(TRUTHS)  # the question aside
    assert key(CLAIMS) == key(STATEMENTS)
    assert len({key(USEFUL), key(RELEVANT), key(CLAIMS), key(AGREEMENT)}) == 4
    assert may_join(TRUTHS, [RELEVANT])


def test_prompts_with_and_without_output_have_different_evidence_keys() -> None:
    """What retrieval is judged by must not depend on the answer, nor the other way round."""
    assert key(RELEVANT) != key(USEFUL)
    assert key(TRUTHS) != key(AGREEMENT)


def test_prompts_of_one_class_or_different_inputs_do_not_join() -> None:
    assert not may_join(replace(TRUTHS, limit=3), [TRUTHS])
    assert not may_join(replace(CLAIMS, input="Where?"), [STATEMENTS])
    assert may_join(replace(CLAIMS, input=""), [STATEMENTS])


def test_repeats_are_asked_apart() -> None:
    assert key(replace(CLAIMS, repeat=1)) != key(STATEMENTS)
    assert key(replace(CLAIMS, repeat=1)) == key(replace(STATEMENTS, repeat=1))


@for_each(
    "prompt",
    [
        DeriveSteps(criteria="c", parameters=("input",)),
        FillForm(steps=("look",), case_fields=(("actual_output", "text"),)),
        replace(CLAIMS, guidance=Guidance(rules=("Be strict.",))),
    ],
)
def test_prompts_never_combined_have_no_evidence_key(prompt: Prompt) -> None:
    assert evidence_key(prompt) is None
