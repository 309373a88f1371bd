"""The card of a judge: its habits, measured."""

from ragstone.reports.card._card import JudgeReport

__all__ = ["JudgeReport"]
