"""A resumed run finds the replies of an older version, wherever the prompts stand now."""

from ragstone.engine.exchange import key_of
from ragstone.prompts import ExtractClaims, ExtractStatements, ExtractTruths, JudgeStatements, RateStatement

STORED = {
    ExtractClaims(text="text"): "ca50e64246f78db29b5ccac9d4d79d9d",
    ExtractStatements(input="input", text="text"): "3e2f55d388203510c7840a002ccfeedb",
    ExtractTruths(passages=("passage",)): "e029b5b381a6cbc667dcdb1a6e258860",
    JudgeStatements(input="input", statements=("statement",)): "59ab5d225ab9d468cd37ba7e97fed688",
    RateStatement(passages=("passage",), statement="statement"): "caff323a4fecc4b559abb6cd553018ba",
}


def test_keys_of_prompts_are_those_in_stored_runs() -> None:
    assert {prompt: key_of(prompt) for prompt in STORED} == STORED
