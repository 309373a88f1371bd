"""The card of a judge: its habits, measured."""

from ragstone.reports.judge_card.model import JudgeReport

__all__ = ["JudgeReport"]
