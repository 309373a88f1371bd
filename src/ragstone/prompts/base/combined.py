"""Several prompts about the same evidence as one request: the evidence once, then a numbered task for each prompt.

Each prompt reads its own field of the answer with its own schema, labels and check, as if it had been asked alone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, cast

from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.parse import json_objects
from ragstone.prompts.base.prompt import SPLIT, UNRENDERED, Prompt

_INPUT = "input"


class CombinedAnswer(Answer):
    """The fields of an answer to a combined prompt, one for each part.

    Attributes:
        answers: the answer to each part; None where its field is missing, or breaks the part's contract.
        texts: the fields as JSON; empty where one is missing.
    """

    answers: tuple[Any, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CombinedPrompt(Prompt[CombinedAnswer]):
    """Ask several prompts of one test case in one request.

    Attributes:
        parts: the prompts, which have the same evidence; the question may stand in some of them only.
    """

    answer = CombinedAnswer
    instruction = """\
Do {count} tasks on these texts, each by itself, as if it were the only one, and from the texts it names alone. Answer \
with one object that has a field for each task: {fields}."""

    parts: tuple[Prompt[Any], ...] = field(metadata=UNRENDERED)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields of the answer, in the order of the parts."""
        return tuple(f"task_{number}" for number in range(1, len(self.parts) + 1))

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the evidence of the parts once."""
        return iter(max((tuple(part.evidence()) for part in self.parts), key=len))

    def lists(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the lists of all parts."""
        return chain.from_iterable(part.lists() for part in self.parts)

    def task(self) -> str:
        """Return the tasks of all parts; a rule that several of them share is written once."""
        fields = ", ".join(self.fields)
        blocks = [self.instruction.replace("{count}", str(len(self.parts))).replace("{fields}", fields)]
        split_rule = ""
        for name, part in zip(self.fields, self.parts, strict=True):
            text = part.task()
            if split_rule and SPLIT in text:
                text = text.replace(SPLIT, split_rule)
            elif SPLIT in text:
                split_rule = f"Split as in {name}.\n"
            labels = ", ".join(label for label, _ in (*part.evidence(), *part.lists()))
            blocks.append(f"{name}, from {labels}:\n{text}")
        return "\n\n".join(blocks)

    def schema(self) -> dict[str, Any]:
        """Return an object with the schema of each part as a field."""
        return {
            "type": "object",
            "properties": {name: part.schema() for name, part in zip(self.fields, self.parts, strict=True)},
            "required": list(self.fields),
            "additionalProperties": False,
        }

    def read(self, text: str, *, lenient: bool = False) -> CombinedAnswer:
        """Return the answer to each part, from the last object with a field of any part. Nothing is rejected here."""
        answer: Mapping[str, Any] = {}
        for candidate in json_objects(text):
            if isinstance(candidate, dict) and not candidate.keys().isdisjoint(self.fields):
                answer = cast("dict[str, Any]", candidate)
        texts = tuple(_to_json(answer[name]) if name in answer else "" for name in self.fields)
        pairs = zip(self.parts, texts, strict=True)
        answers = tuple(_parse_part(part, part_text, lenient=lenient) for part, part_text in pairs)
        return CombinedAnswer.model_construct(answers=answers, texts=texts)

    def joined(self, texts: Iterable[str]) -> str:
        """Return the combined answer as JSON, from the JSON answers to the parts."""
        return _to_json(dict(zip(self.fields, map(json.loads, texts), strict=True)))


class EvidenceKey(NamedTuple):
    """What prompts that may be combined share: which of several askings they are, and evidence without the question."""

    repeat: int
    texts: tuple[tuple[str, EvidenceText], ...]


def evidence_key(prompt: Prompt[Any]) -> EvidenceKey | None:
    """Return the key that prompts must share to be combined, or None for a prompt that is asked alone.

    These prompts are asked alone: combined prompts, prompts that say so, prompts that the whole run shares, prompts
    with guidance from people's decisions, prompts with their own temperature or with log-probabilities, and prompts
    whose only evidence is the question.
    """
    if isinstance(prompt, CombinedPrompt):
        return None
    asked_alone = (
        prompt.asked_alone
        or prompt.shared_by_run
        or prompt.guidance
        or prompt.wants_log_probs
        or prompt.temperature is not None
    )
    texts = tuple(pair for pair in prompt.evidence() if pair[0] != _INPUT)
    return EvidenceKey(prompt.repeat, texts) if texts and not asked_alone else None


def may_join(prompt: Prompt[Any], others: Sequence[Prompt[Any]]) -> bool:
    """Return whether a prompt may be asked with others of the same key.

    Prompts of the same class are not combined, since they are the same task in another wording or with other options.
    Prompts with different questions are not combined either.
    """
    inputs = {text for each in (prompt, *others) for label, text in each.evidence() if label == _INPUT}
    return len(inputs) <= 1 and type(prompt) not in {type(each) for each in others}


def _parse_part(part: Prompt[Any], text: str, *, lenient: bool) -> Answer | None:
    try:
        return cast("Answer", part.parse(text, lenient=lenient))
    except ValueError:
        return None


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
