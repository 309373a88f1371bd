"""The card of a judge: measured biases and consistency."""

from ragstone.reports.judge_card.model import JudgeReport

__all__ = ["JudgeReport"]
