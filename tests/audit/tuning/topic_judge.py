"""A scripted judge that can be taught: it lets vague answers pass, unless it is shown that people do not."""

import random
import re
from typing import Any

from ragstone.judges import Judge, Reply
from ragstone.prompts import AspectVerdict, DecisionRules, WriteRules
from ragstone.result import Usage

METRIC = "aspect_critique(name='exact', definition='Is the answer exact?')"
RULE = "A vague answer fails."
_EXAMPLE = re.compile(r"example (\d+), input:\n\| About (\w+):")


class TopicJudge(Judge):
    """It judges a topic as people do once an example of that topic failed, and any topic once it is shown the rule."""

    works_offline = True

    async def ask(self, prompt: Any) -> Reply[Any]:
        user = prompt.render().user
        if isinstance(prompt, WriteRules):
            return Reply(DecisionRules(rules=(RULE,)), Usage(calls=1))
        shown = {
            topic
            for number, topic in _EXAMPLE.findall(user)
            if f"example {number} was decided by people: fail." in user
        }
        case = dict(prompt.case_fields)
        topic = case["input"].split()[1].rstrip(":")
        strict = topic in shown or RULE in user
        verdict = "no" if strict and "roughly" in case["actual_output"] else "yes"
        return Reply(AspectVerdict(reason="as told", verdict=verdict), Usage(calls=1))


def labelled(
    n: int, *, seed: int = 0, topics: int = 4, note: str = "", flipped: float = 0.05
) -> list[dict[str, Any]]:
    """Return answers, half of them vague; people fail these, but for slips."""
    draw = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(n):
        vague, topic = number % 2 == 0, f"t{draw.randrange(topics)}"
        label = int(vague == (draw.random() < flipped))
        row = {
            "input": f"About {topic}: {number}?",
            "actual_output": f"It is {'roughly' if vague else 'exactly'} {number}.",
        }
        rows.append({**row, "id": f"c{seed}-{number}", "label": label, "document": topic, "note": note})
    return rows
