import json

from benchmarks.answers import answer, resolved, verdict
from benchmarks.evidence import Evidence
from tests.testing.for_each import for_each

from ragstone.prompts import (
    AttributeStatements,
    DeriveSteps,
    ExtractClaims,
    ExtractTruths,
    FillForm,
    GenerateQuestions,
    JudgeAgreement,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
    JudgeUsefulness,
    SummariseReasons,
)
from ragstone.prompts.base.prompt import Prompt

PASSAGES = (
    "The depot opened in 1902. It is\nin Brook Street.",
    "",
    "3. Trams run until midnight!\n2| forged",
)
OUTPUT = "The depot opened in 1902. Trams run all night. 你好。"
PROMPTS: list[Prompt] = [
    JudgeClaims(evidence_texts=PASSAGES, claims=tuple(f"Claim {n}." for n in range(12))),
    JudgeClaims(evidence_texts=PASSAGES, claims=("Only\none.",)),
    JudgeStatements(input="When?", statements=("It opened in 1902.", "Hello.")),
    JudgeUsefulness(passages=PASSAGES, input="When?", expected_output=OUTPUT),
    JudgeAgreement(contexts=PASSAGES, actual_output=OUTPUT),
    JudgePassages(passages=PASSAGES, input="When?"),
    AttributeStatements(passages=PASSAGES, input="When?", expected_output=OUTPUT),
    ExtractClaims(text=OUTPUT),
    ExtractTruths(passages=PASSAGES),
    GenerateQuestions(text=OUTPUT, count=5),
    DeriveSteps(criteria="Is it correct?", parameters=("input",)),
    FillForm(
        steps=("Look.", "Rate."), case_fields=(("input", "When?"), ("contexts", PASSAGES)), low=1, high=5
    ),
    SummariseReasons(findings=("a", "b"), metric="Faithfulness", score=0.5),
]


def answered(prompt: Prompt, complaint: str = "") -> dict:
    return answer(resolved(prompt.schema()), prompt.render().user + complaint)


@for_each("prompt", PROMPTS, ids=lambda prompt: type(prompt).__name__)
def test_answers_are_accepted_by_every_prompt(prompt: Prompt) -> None:
    assert isinstance(prompt.parse(json.dumps(answered(prompt))), prompt.answer)


@for_each("prompt", PROMPTS, ids=lambda prompt: type(prompt).__name__)
def test_a_question_put_again_gets_the_same_answer(prompt: Prompt) -> None:
    complaint = "\n\nYour last answer was not accepted: 3 verdicts for 4 claims; missing: 4."
    assert answered(prompt, complaint) == answered(prompt)


def test_verdicts_depend_on_the_claim_not_the_evidence() -> None:
    claims = tuple(f"Claim {n}." for n in range(200))
    one, other = (answered(JudgeClaims(evidence_texts=(text,), claims=claims)) for text in ("a", "b"))
    words = [entry["verdict"] for entry in one["verdicts"]]
    assert words == [entry["verdict"] for entry in other["verdicts"]]
    assert {"supported", "contradicted", "not_mentioned"} == set(words)
    assert 130 <= words.count("supported") <= 190


def test_idk_only_where_the_prompt_offers_it() -> None:
    passages = tuple(f"Passage {n}." for n in range(200))
    words = answered(JudgeUsefulness(passages=passages, input="x", expected_output="y"))["verdicts"]
    assert {entry["verdict"] for entry in words} == {"useful", "not_useful"}
    assert verdict("Passage 1.", idk=False) in {"yes", "no"}


def test_claims_are_taken_from_the_text() -> None:
    assert answered(ExtractClaims(text="It opened in 1902. Trams run."))["claims"] == [
        "It opened in 1902.",
        "Trams run.",
    ]


def test_references_and_unions_are_resolved() -> None:
    schema = {
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": {"$ref": "#/$defs/V"}}},
        "$defs": {
            "V": {
                "type": "object",
                "properties": {"verdict": {"type": "integer"}, "why": {"type": ["string", "null"]}},
            }
        },
    }
    filled = answer(resolved(schema), 'Judge:\n["One.", "Two."]')
    assert len(filled["verdicts"]) == 2
    assert {entry["verdict"] for entry in filled["verdicts"]} <= {0, 1}


def test_recursive_schema_terminates() -> None:
    schema = {"type": "object", "properties": {"more": {"$ref": "#/$defs/More"}}, "$defs": {}}
    schema["$defs"] = {"More": {"type": "object", "properties": {"more": {"$ref": "#/$defs/More"}}}}
    assert answer(resolved(schema), "x")["more"]


@for_each(
    "text, items",
    [
        ("claims:\n1| a\n1| b\n2| c", ["a b", "c"]),
        ("evidence:\n1| a\n2| b\n\nclaims:\n1| x\n2| y\n3| z\n\ninput:\n| 1. no", ["x", "y", "z"]),
        ("evidence:\n1| a\n\nclaims:\n1| x\n2| y", ["x", "y"]),
        ("claims:\n1| \n2| b", ["", "b"]),
        ('Statements: ["first \\"one\\"", "second"]', ['first "one"', "second"]),
        ("Claims:\n['It\\'s one.', \"It's two.\"]", ["It's one.", "It's two."]),
        ("1. first\n2. second", ["first", "second"]),
        ("nothing", []),
    ],
)
def test_items_are_read_from_every_prompt_layout(text: str, items: list[str]) -> None:
    assert Evidence(text).items == items
