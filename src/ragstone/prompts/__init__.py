"""What is asked of a judge: one typed prompt a file.

A prompt of your own with the same fields and answer takes the place of one of these in
`LLMJudge(provider, replace={JudgeClaims: MyJudgeClaims})`.
"""

from ragstone.prompts._answer import Answer, Decision, Decisions, Evidence
from ragstone.prompts._base import SYSTEM, Prompt, Rendered
from ragstone.prompts._read import read_answer
from ragstone.prompts.attribute_statements import AttributeStatements, Attribution, Attributions
from ragstone.prompts.derive_steps import DeriveSteps, Steps
from ragstone.prompts.extract_claims import Claims, ExtractClaims
from ragstone.prompts.extract_statements import ExtractStatements, Statements
from ragstone.prompts.extract_truths import ExtractTruths, Truths
from ragstone.prompts.fill_form import FillForm, Form
from ragstone.prompts.generate_questions import GenerateQuestions, Questions
from ragstone.prompts.judge_agreement import JudgeAgreement
from ragstone.prompts.judge_claims import JudgeClaims
from ragstone.prompts.judge_passages import JudgePassages, PassageStatement, PassageStatements
from ragstone.prompts.judge_statements import JudgeStatements
from ragstone.prompts.judge_usefulness import JudgeUsefulness
from ragstone.prompts.summarise_reasons import Reason, SummariseReasons

__all__ = [
    "SYSTEM",
    "Answer",
    "AttributeStatements",
    "Attribution",
    "Attributions",
    "Claims",
    "Decision",
    "Decisions",
    "DeriveSteps",
    "Evidence",
    "ExtractClaims",
    "ExtractStatements",
    "ExtractTruths",
    "FillForm",
    "Form",
    "GenerateQuestions",
    "JudgeAgreement",
    "JudgeClaims",
    "JudgePassages",
    "JudgeStatements",
    "JudgeUsefulness",
    "PassageStatement",
    "PassageStatements",
    "Prompt",
    "Questions",
    "Reason",
    "Rendered",
    "Statements",
    "Steps",
    "SummariseReasons",
    "Truths",
    "read_answer",
]
