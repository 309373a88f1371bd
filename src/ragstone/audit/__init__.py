"""Audit a judge: its exam, its agreement with people, its biases and its consistency; tune it on people's labels.

It is layered above `api`, since it runs evaluations itself.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.audit._agree import agree as agree
    from ragstone.audit._agree import check_cascade as check_cascade
    from ragstone.audit._exam import exam as exam
    from ragstone.audit.ask_prompt import AskPrompt as AskPrompt
    from ragstone.audit.judge_trials import judge_card as judge_card
    from ragstone.audit.tuning.tune import tune as tune

_EXPORTS = {
    "AskPrompt": "ragstone.audit.ask_prompt",
    "agree": "ragstone.audit._agree",
    "check_cascade": "ragstone.audit._agree",
    "exam": "ragstone.audit._exam",
    "judge_card": "ragstone.audit.judge_trials",
    "tune": "ragstone.audit.tuning.tune",
}

__all__ = list(_EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]  (the names imported above)

__getattr__ = lazy_exports(__name__, _EXPORTS)
