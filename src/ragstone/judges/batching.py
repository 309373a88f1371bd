"""From a judge to the same judge asked in batches: only language models at vendors who take them can be."""

from dataclasses import replace

from ragstone.errors import BadOption
from ragstone.judges.base import Judge
from ragstone.judges.cached import CachedJudge
from ragstone.judges.jury import JuryJudge
from ragstone.judges.llm import LLMJudge


def in_batches(judge: Judge) -> Judge:
    """Return `judge`, to be asked in batches and paid at their price. Its answers are cached under the same keys.

    Raises:
        BadOption: its vendor takes no batches, or it has none.
    """
    if isinstance(judge, CachedJudge):
        return judge.around(in_batches(judge.judge))
    if isinstance(judge, JuryJudge):
        return replace(judge, jurors=[in_batches(juror) for juror in judge.judges])
    if isinstance(judge, LLMJudge) and getattr(judge.provider, "supports_batches", False):
        return replace(judge, batch=True)
    raise BadOption(
        f"The judge {judge.name} cannot be asked in batches: OpenAI and Anthropic take them. Write judge='openai' or "
        "'anthropic' (--judge openai), or leave batch out."
    )
