"""What is asked of a judge: one typed prompt a file.

A prompt of your own with the same fields and answer takes the place of one of these in
`LLMJudge(provider=…, replacements={JudgeClaims: MyJudgeClaims})`.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
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

_PLACES = {
    "Answer": "ragstone.prompts.base.answer",
    "AnswerQuestions": "ragstone.prompts.answer_questions",
    "AspectVerdict": "ragstone.prompts.judge_aspect",
    "AttributeStatements": "ragstone.prompts.attribute_statements",
    "Attribution": "ragstone.prompts.attribute_statements",
    "Attributions": "ragstone.prompts.attribute_statements",
    "ChooseAnswer": "ragstone.prompts.choose_answer",
    "ChosenAnswer": "ragstone.prompts.choose_answer",
    "ClaimLocation": "ragstone.prompts.locate_claims",
    "ClaimLocations": "ragstone.prompts.locate_claims",
    "Claims": "ragstone.prompts.extract_claims",
    "ClosedQuestions": "ragstone.prompts.write_questions",
    "CompletionRating": "ragstone.prompts.rate_completion",
    "Decision": "ragstone.prompts.base.answer",
    "Decisions": "ragstone.prompts.base.answer",
    "DeriveSteps": "ragstone.prompts.derive_steps",
    "Entities": "ragstone.prompts.extract_entities",
    "ExtractClaims": "ragstone.prompts.extract_claims",
    "ExtractEntities": "ragstone.prompts.extract_entities",
    "ExtractIntentions": "ragstone.prompts.extract_intentions",
    "ExtractOpinions": "ragstone.prompts.extract_opinions",
    "ExtractStatements": "ragstone.prompts.extract_statements",
    "ExtractTruths": "ragstone.prompts.extract_truths",
    "FillForm": "ragstone.prompts.fill_form",
    "FormRating": "ragstone.prompts.fill_form",
    "GenerateQuestions": "ragstone.prompts.generate_questions",
    "Grounding": "ragstone.prompts.base.answer",
    "Intentions": "ragstone.prompts.extract_intentions",
    "JudgeAgreement": "ragstone.prompts.judge_agreement",
    "JudgeArguments": "ragstone.prompts.judge_arguments",
    "JudgeAspect": "ragstone.prompts.judge_aspect",
    "JudgeBias": "ragstone.prompts.judge_bias",
    "JudgeClaims": "ragstone.prompts.judge_claims",
    "JudgeInstructions": "ragstone.prompts.judge_instructions",
    "JudgeIntentions": "ragstone.prompts.judge_intentions",
    "JudgePassages": "ragstone.prompts.judge_passages",
    "JudgeReplies": "ragstone.prompts.judge_replies",
    "JudgeRetention": "ragstone.prompts.judge_retention",
    "JudgeRole": "ragstone.prompts.judge_role",
    "JudgeStatements": "ragstone.prompts.judge_statements",
    "JudgeToxicity": "ragstone.prompts.judge_toxicity",
    "JudgeUsefulness": "ragstone.prompts.judge_usefulness",
    "LocateClaims": "ragstone.prompts.locate_claims",
    "Opinions": "ragstone.prompts.extract_opinions",
    "PassageStatement": "ragstone.prompts.judge_passages",
    "PassageStatements": "ragstone.prompts.judge_passages",
    "PreferAnswer": "ragstone.prompts.prefer_answer",
    "Preference": "ragstone.prompts.prefer_answer",
    "Prompt": "ragstone.prompts.base.prompt",
    "Questions": "ragstone.prompts.generate_questions",
    "RateAccuracy": "ragstone.prompts.rate_accuracy",
    "RateAnswer": "ragstone.prompts.rate_answer",
    "RateCompletion": "ragstone.prompts.rate_completion",
    "RateContexts": "ragstone.prompts.rate_contexts",
    "RateGrounding": "ragstone.prompts.rate_grounding",
    "RatePassage": "ragstone.prompts.rate_passage",
    "RateStatement": "ragstone.prompts.rate_statement",
    "Rating": "ragstone.prompts.base.answer",
    "Reason": "ragstone.prompts.summarise_reasons",
    "Rendered": "ragstone.prompts.base.prompt",
    "SYSTEM": "ragstone.prompts.base.prompt",
    "Statements": "ragstone.prompts.extract_statements",
    "Steps": "ragstone.prompts.derive_steps",
    "SummariseReasons": "ragstone.prompts.summarise_reasons",
    "Truth": "ragstone.prompts.extract_truths",
    "Truths": "ragstone.prompts.extract_truths",
    "WriteQuestions": "ragstone.prompts.write_questions",
    "parse_answer": "ragstone.prompts.base.parse",
}

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

__getattr__ = lazy_exports(__name__, _PLACES)
