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
    from ragstone.prompts.choose_answer import (
        ChooseAnswer,
        ChooseLabel,
        ChosenAnswer,
        PreferAnswer,
        Preference,
    )
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
    from ragstone.prompts.extract import (
        Claims,
        Entities,
        ExtractClaims,
        ExtractEntities,
        ExtractStatements,
        ExtractTruths,
        Statements,
        Truth,
        Truths,
    )
    from ragstone.prompts.form_steps import DeriveSteps, FillForm, FormRating, Steps
    from ragstone.prompts.judge_answer import AnswerPart, AnswerParts, JudgeAbstention, JudgeParts
    from ragstone.prompts.judge_citations import JudgeCitations, JudgeCitedSentences
    from ragstone.prompts.judge_claims import ClaimLocation, ClaimLocations, JudgeClaims, LocateClaims
    from ragstone.prompts.judge_criteria import JudgeArguments, JudgeAspect, JudgeInstructions
    from ragstone.prompts.judge_intentions import ExtractIntentions, Intentions, JudgeIntentions
    from ragstone.prompts.judge_opinions import ExtractOpinions, JudgeBias, JudgeToxicity, Opinions
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
    from ragstone.prompts.rate_answer import CompletionRating, RateAccuracy, RateAnswer, RateCompletion
    from ragstone.prompts.rate_passages import RateContexts, RateGrounding, RatePassage, RateStatement
    from ragstone.prompts.review_case import CaseReview, Fault, ReviewCase
    from ragstone.prompts.write_questions import (
        AnswerQuestions,
        ClosedQuestions,
        GenerateQuestions,
        Questions,
        WriteQuestions,
    )
    from ragstone.prompts.write_reasons import DecisionRules, Reason, SummariseReasons, WriteRules

_MODULES = {
    "base.answer": "Answer AspectVerdict Decision Decisions Grounding Rating",
    "base.parse": "parse_answer",
    "base.prompt": "Prompt Rendered SYSTEM",
    "choose_answer": "ChooseAnswer ChooseLabel ChosenAnswer PreferAnswer Preference",
    "draft_questions": (
        "AnswerDraftQuestion DraftEvidence DraftReply DraftedQuestion MatchDraftAnswers RecallDraftAnswer "
        "SelectDraftEvidence WriteDraftQuestion"
    ),
    "extract": (
        "Claims Entities ExtractClaims ExtractEntities ExtractStatements ExtractTruths Statements Truth "
        "Truths"
    ),
    "form_steps": "DeriveSteps FillForm FormRating Steps",
    "judge_answer": "AnswerPart AnswerParts JudgeAbstention JudgeParts",
    "judge_citations": "JudgeCitations JudgeCitedSentences",
    "judge_claims": "ClaimLocation ClaimLocations JudgeClaims LocateClaims",
    "judge_criteria": "JudgeArguments JudgeAspect JudgeInstructions",
    "judge_intentions": "ExtractIntentions Intentions JudgeIntentions",
    "judge_opinions": "ExtractOpinions JudgeBias JudgeToxicity Opinions",
    "judge_passages": "JudgeAgreement JudgePassages JudgeUsefulness PassageStatement PassageStatements",
    "judge_statements": "AttributeStatements Attribution Attributions JudgeStatements",
    "judge_turns": "JudgeReplies JudgeRetention JudgeRole",
    "rate_answer": "CompletionRating RateAccuracy RateAnswer RateCompletion",
    "rate_passages": "RateContexts RateGrounding RatePassage RateStatement",
    "review_case": "CaseReview Fault ReviewCase",
    "write_questions": "AnswerQuestions ClosedQuestions GenerateQuestions Questions WriteQuestions",
    "write_reasons": "DecisionRules Reason SummariseReasons WriteRules",
}
"""The names of each module."""

__all__ = [
    "SYSTEM", "Answer", "AnswerDraftQuestion", "AnswerPart", "AnswerParts", "AnswerQuestions",
    "AspectVerdict", "AttributeStatements", "Attribution", "Attributions", "CaseReview", "ChooseAnswer",
    "ChooseLabel", "ChosenAnswer", "ClaimLocation", "ClaimLocations", "Claims", "ClosedQuestions",
    "CompletionRating", "Decision", "DecisionRules", "Decisions", "DeriveSteps", "DraftEvidence",
    "DraftReply", "DraftedQuestion", "Entities", "ExtractClaims", "ExtractEntities", "ExtractIntentions",
    "ExtractOpinions", "ExtractStatements", "ExtractTruths", "Fault", "FillForm", "FormRating",
    "GenerateQuestions", "Grounding", "Intentions", "JudgeAbstention", "JudgeAgreement", "JudgeArguments",
    "JudgeAspect", "JudgeBias", "JudgeCitations", "JudgeCitedSentences", "JudgeClaims", "JudgeInstructions",
    "JudgeIntentions", "JudgeParts", "JudgePassages", "JudgeReplies", "JudgeRetention", "JudgeRole",
    "JudgeStatements", "JudgeToxicity", "JudgeUsefulness", "LocateClaims", "MatchDraftAnswers", "Opinions",
    "PassageStatement", "PassageStatements", "PreferAnswer", "Preference", "Prompt", "Questions",
    "RateAccuracy", "RateAnswer", "RateCompletion", "RateContexts", "RateGrounding", "RatePassage",
    "RateStatement", "Rating", "Reason", "RecallDraftAnswer", "Rendered", "ReviewCase",
    "SelectDraftEvidence", "Statements", "Steps", "SummariseReasons", "Truth", "Truths",
    "WriteDraftQuestion", "WriteQuestions", "WriteRules", "parse_answer",
]  # fmt: skip

_PLACES = {name: f"ragstone.prompts.{module}" for module, names in _MODULES.items() for name in names.split()}

__getattr__ = lazy_exports(__name__, _PLACES)
