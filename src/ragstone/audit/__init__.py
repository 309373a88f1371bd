"""Audit a judge: its exam, its agreement with people, its biases and its consistency; tune it on people's labels.

It is layered above `api`, since it runs evaluations itself.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.audit._agree import agree
    from ragstone.audit._cascade_check import check_cascade
    from ragstone.audit._exam import exam
    from ragstone.audit.ask_prompt import AskPrompt
    from ragstone.audit.judge_trials import judge_card
    from ragstone.audit.tuning.tune import tune

_EXPORTS = {
    "AskPrompt": "ragstone.audit.ask_prompt:AskPrompt",
    "agree": "ragstone.audit._agree:agree",
    "check_cascade": "ragstone.audit._cascade_check:check_cascade",
    "exam": "ragstone.audit._exam:exam",
    "judge_card": "ragstone.audit.judge_trials:judge_card",
    "tune": "ragstone.audit.tuning.tune:tune",
}

__all__ = ["AskPrompt", "agree", "check_cascade", "exam", "judge_card", "tune"]

__getattr__ = lazy_exports(__name__, _EXPORTS)
