from tests.testing.for_each import for_each

from ragstone.text.preparation import prepared


@for_each(
    "text, answer",
    [
        ("<think>\nIs it 90?\n</think>\n\nIt is 40.", "It is 40."),
        ("<thinking>a</thinking><think>b</think>It is 40.", "It is 40."),
        ("<think>\nPerhaps 90", ""),
        ("So it is 40.\n</think>\nIt is 40.", "It is 40."),
        ("It is 40.\n<think>Or 90?</think>\nYes.", "It is 40.\nYes."),
        ("It is <think>hm</think>40.", "It is 40."),
        ("It is 40.\n<think>\nOr perhaps", "It is 40.\n"),
        ("[THINK]hm[/THINK]It is 40.", "It is 40."),
        ("◁think▷hm◁/think▷It is 40.", "It is 40."),
        (
            "<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>It is 40.<|end_of_solution|>",
            "It is 40.",
        ),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is 40.<|return|>",
            "It is 40.",
        ),
        ("<|channel|>analysis<|message|>Hm", ""),
        ("Put `<think>` before it.", "Put `<think>` before it."),
        ("Put <think> before it.", "Put <think> before it."),
        ("I think so. <thinner> is no tag.", "I think so. <thinner> is no tag."),
    ],
)
def test_answer_is_the_text_without_thoughts(text: str, answer: str) -> None:
    result = prepared(text, "answer")
    assert result.text == answer
    assert result.changes == (() if text == answer else ("thoughts removed",))


def test_written_text_keeps_its_thoughts() -> None:
    assert prepared("<think>a</think>b", "written").text == "<think>a</think>b"


@for_each("unit", ["<think>", "</think>", "<think></think>", "<think>\n", "<|channel|>", " </think"])
def test_many_tags_are_read_in_linear_time(unit: str) -> None:
    assert len(prepared(unit * 20_000, "answer").text) <= len(unit) * 20_000
