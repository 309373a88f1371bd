import pytest

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import parse

REFERENCES = ["About forty metres.", "It is 40 metres tall.", "40 m"]


@pytest.mark.parametrize(
    "spec", ["exact_match", "bleu", "rouge", "chrf", "edit_similarity", "string_presence"]
)
def test_the_best_of_several_references_counts(spec: str) -> None:
    metadata = {"expected_outputs": REFERENCES}
    case = TestCase(
        input="q", actual_output="It is 40 metres tall.", expected_output=REFERENCES[0], metadata=metadata
    )
    assert parse(spec).measure(case, ScriptedJudge()).score == pytest.approx(1.0)
    alone = case.model_copy(update={"metadata": {}})
    assert (parse(spec).measure(alone, ScriptedJudge()).score or 0.0) < 1


@pytest.mark.parametrize("spec", ["exact_match", "bleu", "rouge", "chrf", "edit_similarity"])
def test_composed_and_decomposed_letters_are_equal(spec: str) -> None:
    case = TestCase(
        input="q", actual_output="A caf\u00e9 on the old quay", expected_output="A cafe\u0301 on the old quay"
    )
    assert parse(spec).measure(case, ScriptedJudge()).score == pytest.approx(1.0)
