"""What is asked of a judge: typed prompts, with those on one subject in one file.

A prompt of your own with the same fields and answer takes the place of one of these in
`LLMJudge(provider=…, replacements={JudgeClaims: MyJudgeClaims})`.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.prompts.base.answer import Answer, AspectVerdict, Decision, Decisions, Grounding, Rating
    from ragstone.prompts.base.parse import parse_answer
    from ragstone.prompts.base.prompt import SYSTEM, Prompt, Rendered
    from ragstone.prompts.choose_answer import ChooseAnswer, ChooseLabel, ChosenAnswer
    from ragstone.prompts.derive_steps import DeriveSteps, Steps
    from ragstone.prompts.draft_questions import (
        AnswerDraftQuestion,
        DraftedQuestion,
        DraftEvidence,
        DraftReply,
        MatchDraftAnswers,
        RecallDraftAnswer,
        SelectDraftEvidence,
        WriteDraftQuestion,
    )
    from ragstone.prompts.extract_claims import Claims, ExtractClaims
    from ragstone.prompts.extract_entities import Entities, ExtractEntities
    from ragstone.prompts.extract_opinions import ExtractOpinions, Opinions
    from ragstone.prompts.extract_statements import ExtractStatements, Statements
    from ragstone.prompts.extract_truths import ExtractTruths, Truth, Truths
    from ragstone.prompts.fill_form import FillForm, FormRating
    from ragstone.prompts.generate_questions import GenerateQuestions, Questions
    from ragstone.prompts.judge_answer import AnswerPart, AnswerParts, JudgeAbstention, JudgeParts
    from ragstone.prompts.judge_arguments import JudgeArguments
    from ragstone.prompts.judge_citations import JudgeCitations, JudgeCitedSentences
    from ragstone.prompts.judge_claims import JudgeClaims
    from ragstone.prompts.judge_criteria import JudgeAspect, JudgeInstructions
    from ragstone.prompts.judge_intentions import ExtractIntentions, Intentions, JudgeIntentions
    from ragstone.prompts.judge_opinions import JudgeBias, JudgeToxicity
    from ragstone.prompts.judge_passages import (
        JudgeAgreement,
        JudgePassages,
        JudgeUsefulness,
        PassageStatement,
        PassageStatements,
    )
    from ragstone.prompts.judge_statements import (
        AttributeStatements,
        Attribution,
        Attributions,
        JudgeStatements,
    )
    from ragstone.prompts.judge_turns import JudgeReplies, JudgeRetention, JudgeRole
    from ragstone.prompts.locate_claims import ClaimLocation, ClaimLocations, LocateClaims
    from ragstone.prompts.prefer_answer import PreferAnswer, Preference
    from ragstone.prompts.rate_answer import RateAccuracy, RateAnswer
    from ragstone.prompts.rate_completion import CompletionRating, RateCompletion
    from ragstone.prompts.rate_grounding import RateGrounding, RateStatement
    from ragstone.prompts.rate_passages import RateContexts, RatePassage
    from ragstone.prompts.review_case import CaseReview, Fault, ReviewCase
    from ragstone.prompts.summarise_reasons import Reason, SummariseReasons
    from ragstone.prompts.write_questions import AnswerQuestions, ClosedQuestions, WriteQuestions
    from ragstone.prompts.write_rules import DecisionRules, WriteRules

_EXPORTS = {
    "Answer": "ragstone.prompts.base.answer",
    "AnswerDraftQuestion": "ragstone.prompts.draft_questions",
    "AnswerPart": "ragstone.prompts.judge_answer",
    "AnswerParts": "ragstone.prompts.judge_answer",
    "AnswerQuestions": "ragstone.prompts.write_questions",
    "AspectVerdict": "ragstone.prompts.base.answer",
    "AttributeStatements": "ragstone.prompts.judge_statements",
    "Attribution": "ragstone.prompts.judge_statements",
    "Attributions": "ragstone.prompts.judge_statements",
    "CaseReview": "ragstone.prompts.review_case",
    "ChooseAnswer": "ragstone.prompts.choose_answer",
    "ChosenAnswer": "ragstone.prompts.choose_answer",
    "ClaimLocation": "ragstone.prompts.locate_claims",
    "ClaimLocations": "ragstone.prompts.locate_claims",
    "ChooseLabel": "ragstone.prompts.choose_answer",
    "Claims": "ragstone.prompts.extract_claims",
    "ClosedQuestions": "ragstone.prompts.write_questions",
    "CompletionRating": "ragstone.prompts.rate_completion",
    "Decision": "ragstone.prompts.base.answer",
    "DecisionRules": "ragstone.prompts.write_rules",
    "Decisions": "ragstone.prompts.base.answer",
    "DeriveSteps": "ragstone.prompts.derive_steps",
    "DraftEvidence": "ragstone.prompts.draft_questions",
    "DraftReply": "ragstone.prompts.draft_questions",
    "DraftedQuestion": "ragstone.prompts.draft_questions",
    "Entities": "ragstone.prompts.extract_entities",
    "ExtractClaims": "ragstone.prompts.extract_claims",
    "ExtractEntities": "ragstone.prompts.extract_entities",
    "ExtractIntentions": "ragstone.prompts.judge_intentions",
    "ExtractOpinions": "ragstone.prompts.extract_opinions",
    "ExtractStatements": "ragstone.prompts.extract_statements",
    "ExtractTruths": "ragstone.prompts.extract_truths",
    "Fault": "ragstone.prompts.review_case",
    "FillForm": "ragstone.prompts.fill_form",
    "FormRating": "ragstone.prompts.fill_form",
    "GenerateQuestions": "ragstone.prompts.generate_questions",
    "Grounding": "ragstone.prompts.base.answer",
    "Intentions": "ragstone.prompts.judge_intentions",
    "JudgeAbstention": "ragstone.prompts.judge_answer",
    "JudgeAgreement": "ragstone.prompts.judge_passages",
    "JudgeArguments": "ragstone.prompts.judge_arguments",
    "JudgeAspect": "ragstone.prompts.judge_criteria",
    "JudgeBias": "ragstone.prompts.judge_opinions",
    "JudgeCitations": "ragstone.prompts.judge_citations",
    "JudgeCitedSentences": "ragstone.prompts.judge_citations",
    "JudgeClaims": "ragstone.prompts.judge_claims",
    "JudgeInstructions": "ragstone.prompts.judge_criteria",
    "JudgeIntentions": "ragstone.prompts.judge_intentions",
    "JudgeParts": "ragstone.prompts.judge_answer",
    "JudgePassages": "ragstone.prompts.judge_passages",
    "JudgeReplies": "ragstone.prompts.judge_turns",
    "JudgeRetention": "ragstone.prompts.judge_turns",
    "JudgeRole": "ragstone.prompts.judge_turns",
    "JudgeStatements": "ragstone.prompts.judge_statements",
    "JudgeToxicity": "ragstone.prompts.judge_opinions",
    "JudgeUsefulness": "ragstone.prompts.judge_passages",
    "LocateClaims": "ragstone.prompts.locate_claims",
    "MatchDraftAnswers": "ragstone.prompts.draft_questions",
    "Opinions": "ragstone.prompts.extract_opinions",
    "PassageStatement": "ragstone.prompts.judge_passages",
    "PassageStatements": "ragstone.prompts.judge_passages",
    "PreferAnswer": "ragstone.prompts.prefer_answer",
    "Preference": "ragstone.prompts.prefer_answer",
    "Prompt": "ragstone.prompts.base.prompt",
    "Questions": "ragstone.prompts.generate_questions",
    "RateAccuracy": "ragstone.prompts.rate_answer",
    "RateAnswer": "ragstone.prompts.rate_answer",
    "RateCompletion": "ragstone.prompts.rate_completion",
    "RateContexts": "ragstone.prompts.rate_passages",
    "RateGrounding": "ragstone.prompts.rate_grounding",
    "RatePassage": "ragstone.prompts.rate_passages",
    "RateStatement": "ragstone.prompts.rate_grounding",
    "Rating": "ragstone.prompts.base.answer",
    "Reason": "ragstone.prompts.summarise_reasons",
    "RecallDraftAnswer": "ragstone.prompts.draft_questions",
    "Rendered": "ragstone.prompts.base.prompt",
    "ReviewCase": "ragstone.prompts.review_case",
    "SYSTEM": "ragstone.prompts.base.prompt",
    "SelectDraftEvidence": "ragstone.prompts.draft_questions",
    "Statements": "ragstone.prompts.extract_statements",
    "Steps": "ragstone.prompts.derive_steps",
    "SummariseReasons": "ragstone.prompts.summarise_reasons",
    "Truth": "ragstone.prompts.extract_truths",
    "Truths": "ragstone.prompts.extract_truths",
    "WriteDraftQuestion": "ragstone.prompts.draft_questions",
    "WriteQuestions": "ragstone.prompts.write_questions",
    "WriteRules": "ragstone.prompts.write_rules",
    "parse_answer": "ragstone.prompts.base.parse",
}

__all__ = [
    "SYSTEM",
    "Answer",
    "AnswerDraftQuestion",
    "AnswerPart",
    "AnswerParts",
    "AnswerQuestions",
    "AspectVerdict",
    "AttributeStatements",
    "Attribution",
    "Attributions",
    "CaseReview",
    "ChooseAnswer",
    "ChooseLabel",
    "ChosenAnswer",
    "ClaimLocation",
    "ClaimLocations",
    "Claims",
    "ClosedQuestions",
    "CompletionRating",
    "Decision",
    "DecisionRules",
    "Decisions",
    "DeriveSteps",
    "DraftEvidence",
    "DraftReply",
    "DraftedQuestion",
    "Entities",
    "ExtractClaims",
    "ExtractEntities",
    "ExtractIntentions",
    "ExtractOpinions",
    "ExtractStatements",
    "ExtractTruths",
    "Fault",
    "FillForm",
    "FormRating",
    "GenerateQuestions",
    "Grounding",
    "Intentions",
    "JudgeAbstention",
    "JudgeAgreement",
    "JudgeArguments",
    "JudgeAspect",
    "JudgeBias",
    "JudgeCitations",
    "JudgeCitedSentences",
    "JudgeClaims",
    "JudgeInstructions",
    "JudgeIntentions",
    "JudgeParts",
    "JudgePassages",
    "JudgeReplies",
    "JudgeRetention",
    "JudgeRole",
    "JudgeStatements",
    "JudgeToxicity",
    "JudgeUsefulness",
    "LocateClaims",
    "MatchDraftAnswers",
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
    "RecallDraftAnswer",
    "Rendered",
    "ReviewCase",
    "SelectDraftEvidence",
    "Statements",
    "Steps",
    "SummariseReasons",
    "Truth",
    "Truths",
    "WriteDraftQuestion",
    "WriteQuestions",
    "WriteRules",
    "parse_answer",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
