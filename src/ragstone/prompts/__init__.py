"""What is asked of a judge: one typed prompt a file.

A prompt of your own with the same fields and answer takes the place of one of these in
`LLMJudge(provider=…, replacements={JudgeClaims: MyJudgeClaims})`.
"""

from ragstone.prompts.answer_questions import AnswerQuestions
from ragstone.prompts.attribute_statements import AttributeStatements, Attribution, Attributions
from ragstone.prompts.base.answer import Answer, Decision, Decisions, Grounding, Rating
from ragstone.prompts.base.parse import parse_answer
from ragstone.prompts.base.prompt import SYSTEM, Prompt, Rendered
from ragstone.prompts.choose_answer import ChooseAnswer, ChosenAnswer
from ragstone.prompts.derive_steps import DeriveSteps, Steps
from ragstone.prompts.extract_claims import Claims, ExtractClaims
from ragstone.prompts.extract_entities import Entities, ExtractEntities
from ragstone.prompts.extract_intentions import ExtractIntentions, Intentions
from ragstone.prompts.extract_opinions import ExtractOpinions, Opinions
from ragstone.prompts.extract_statements import ExtractStatements, Statements
from ragstone.prompts.extract_truths import ExtractTruths, Truth, Truths
from ragstone.prompts.fill_form import FillForm, FormRating
from ragstone.prompts.generate_questions import GenerateQuestions, Questions
from ragstone.prompts.judge_agreement import JudgeAgreement
from ragstone.prompts.judge_arguments import JudgeArguments
from ragstone.prompts.judge_aspect import AspectVerdict, JudgeAspect
from ragstone.prompts.judge_bias import JudgeBias
from ragstone.prompts.judge_claims import JudgeClaims
from ragstone.prompts.judge_instructions import JudgeInstructions
from ragstone.prompts.judge_intentions import JudgeIntentions
from ragstone.prompts.judge_passages import JudgePassages, PassageStatement, PassageStatements
from ragstone.prompts.judge_replies import JudgeReplies
from ragstone.prompts.judge_retention import JudgeRetention
from ragstone.prompts.judge_role import JudgeRole
from ragstone.prompts.judge_statements import JudgeStatements
from ragstone.prompts.judge_toxicity import JudgeToxicity
from ragstone.prompts.judge_usefulness import JudgeUsefulness
from ragstone.prompts.locate_claims import ClaimLocation, ClaimLocations, LocateClaims
from ragstone.prompts.prefer_answer import PreferAnswer, Preference
from ragstone.prompts.rate_accuracy import RateAccuracy
from ragstone.prompts.rate_answer import RateAnswer
from ragstone.prompts.rate_completion import CompletionRating, RateCompletion
from ragstone.prompts.rate_contexts import RateContexts
from ragstone.prompts.rate_grounding import RateGrounding
from ragstone.prompts.rate_passage import RatePassage
from ragstone.prompts.rate_statement import RateStatement
from ragstone.prompts.summarise_reasons import Reason, SummariseReasons
from ragstone.prompts.write_questions import ClosedQuestions, WriteQuestions

__all__ = [
    "SYSTEM",
    "Answer",
    "AnswerQuestions",
    "AspectVerdict",
    "AttributeStatements",
    "Attribution",
    "Attributions",
    "ChooseAnswer",
    "ChosenAnswer",
    "ClaimLocation",
    "ClaimLocations",
    "Claims",
    "ClosedQuestions",
    "CompletionRating",
    "Decision",
    "Decisions",
    "DeriveSteps",
    "Entities",
    "ExtractClaims",
    "ExtractEntities",
    "ExtractIntentions",
    "ExtractOpinions",
    "ExtractStatements",
    "ExtractTruths",
    "FillForm",
    "FormRating",
    "GenerateQuestions",
    "Grounding",
    "Intentions",
    "JudgeAgreement",
    "JudgeArguments",
    "JudgeAspect",
    "JudgeBias",
    "JudgeClaims",
    "JudgeInstructions",
    "JudgeIntentions",
    "JudgePassages",
    "JudgeReplies",
    "JudgeRetention",
    "JudgeRole",
    "JudgeStatements",
    "JudgeToxicity",
    "JudgeUsefulness",
    "LocateClaims",
    "Opinions",
    "PassageStatement",
    "PassageStatements",
    "PreferAnswer",
    "Preference",
    "Prompt",
    "Questions",
    "RateAccuracy",
    "RateAnswer",
    "RateCompletion",
    "RateContexts",
    "RateGrounding",
    "RatePassage",
    "RateStatement",
    "Rating",
    "Reason",
    "Rendered",
    "Statements",
    "Steps",
    "SummariseReasons",
    "Truth",
    "Truths",
    "WriteQuestions",
    "parse_answer",
]
