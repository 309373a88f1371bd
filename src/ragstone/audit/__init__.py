"""The judge itself is judged: does it agree with people, and has it habits that make it a poor witness?

This room stands above `evaluate`, since it measures in order to hold the measurements against something.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.audit._agree import agree
    from ragstone.audit.ask_prompt import AskPrompt
    from ragstone.audit.judge_trials import judge_card

_PLACES = {
    "AskPrompt": "ragstone.audit.ask_prompt:AskPrompt",
    "agree": "ragstone.audit._agree:agree",
    "judge_card": "ragstone.audit.judge_trials:judge_card",
}

__all__ = ["AskPrompt", "agree", "judge_card"]

__getattr__ = lazy_exports(__name__, _PLACES)
