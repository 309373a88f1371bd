"""Where the commands of the documentation run: offline, with vendors' servers that answer on loopback."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from os import environ, pathsep
from pathlib import Path
from typing import Any

from tests.docs._page import ROOT, Block
from tests.servers.anthropic import AnthropicServer
from tests.servers.decisions import DecisionModelServer
from tests.servers.detectors import TEIServer
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.script import Ask, Script

_TEXTS = ["The script says one thing.", "The script says another."]


def _script() -> Script:
    """A judge that finds two of everything, and everything good, but for the answer that the tutorial gets wrong."""
    script = Script(
        claims=_TEXTS,
        truths=_TEXTS,
        statements=_TEXTS,
        questions=_TEXTS,
        opinions=_TEXTS,
        entities=_TEXTS,
        steps=_TEXTS,
        verdicts=_every("yes"),
        verdict="yes",
        choice=_choice,
        noncommittal=False,
        score=_good_score,
        unanswered=[],
        faults=[],
        deciding=[1],
        answer="acceptable",
        context="sufficient",
        rank=1,
    )
    wrong = ["You may work from home five days a week."]
    fault = {"quote": wrong[0], "kind": "wrong_number", "passage": 1}
    return script.when(
        "from home five days",
        claims=wrong,
        statements=wrong,
        verdicts=_every("no"),
        faults=[fault],
        answer="not_acceptable",
    )


def _good_score(ask: Ask) -> int:
    """The best of a few scores that the question allows; 8 of 10 otherwise."""
    allowed = (ask.schema or {}).get("properties", {}).get("score", {}).get("enum", ())
    return max(allowed, default=8) if len(allowed) < 10 else 8


def _choice(ask: Ask) -> str:
    """A tie where that is a choice; the first choice otherwise."""
    allowed = (ask.schema or {}).get("properties", {}).get("choice", {}).get("enum", ("tie",))
    return "tie" if "tie" in allowed else str(allowed[0])


def _every(word: str) -> Callable[[Ask], list[dict[str, Any]]]:
    """The same verdict on every item; where a judge is to find statements in passages, one in each."""

    def say(ask: Ask) -> list[dict[str, Any]]:
        finds = "statement" in str(ask.schema) and "'passage'" in str(ask.schema)
        return [
            {"verdict": word, **({"passage": number} if finds else {})} for number in range(1, ask.items + 1)
        ]

    return say


def _overlap(passage: str, statement: str) -> dict[str, float]:
    """A detector's score: high where the passage has all words of the statement."""
    words = set(statement.lower().strip(".").split())
    return {"LABEL_0": 0.97 if words <= set(passage.lower().replace(".", "").split()) else 0.06}


@contextmanager
def vendors() -> Iterator[dict[str, str]]:
    """Serve each vendor on loopback; the variables by which a vendor's client finds it."""
    with ExitStack() as open_servers:
        openai = open_servers.enter_context(OpenAIServer(_script()))
        anthropic = open_servers.enter_context(AnthropicServer(_script()))
        ollama = open_servers.enter_context(OllamaServer(_script()))
        decisions = open_servers.enter_context(
            DecisionModelServer(lambda _state, _task, options: {options[0]: 1.0})
        )
        tei = open_servers.enter_context(TEIServer(_overlap))
        yield {
            "OPENAI_API_KEY": openai.key,
            "OPENAI_BASE_URL": openai.base_url,
            "ANTHROPIC_API_KEY": anthropic.key,
            "ANTHROPIC_BASE_URL": anthropic.base_url,
            "OLLAMA_HOST": ollama.base_url,
            "TEI": tei.base_url,
            "DECISIONS": decisions.base_url,
        }


def environment(home: Path, servers: dict[str, str], *programs: Path) -> dict[str, str]:
    """A user's variables: nothing of this machine's but the path, a home of their own.

    Programs are looked for in the folders `programs` first.
    """
    return {
        "PATH": pathsep.join([*map(str, programs), str(Path(sys.executable).parent), environ["PATH"]]),
        "PYTHONPATH": pathsep.join([str(ROOT / "src"), "."]),
        "PYTHONIOENCODING": "utf-8",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "RAGSTONE_WORKERS": "1",  # the cores are shared with the other tests
        **servers,
    }


def furnish(folder: Path, page: list[Block]) -> None:
    """Lay out a page's files in the folder where it runs, and the repository's examples where it speaks of them."""
    if any("examples/" in block.code for block in page):
        (folder / "examples").symlink_to(ROOT / "examples")
    for block in page:
        if name := block.notes.get("file"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, encoding="utf-8")
