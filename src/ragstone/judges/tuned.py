"""A tuned judge: a judge whose prompts show human decisions and rules before the evidence; and the file that holds it.

    ragstone tune METRIC --labels RUN     writes the file
    --judge judge.toml                    uses it

The file holds texts of labelled test cases. Its hash covers everything that decides an answer, so that a file that was
changed by hand is rejected: the figures of its card were measured with another wording.

A tuned judge has a name and wordings of its own, so that a comparison never mixes its scores with those of the plain
judge.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

from ragstone.errors import BadOption
from ragstone.judges.base import Judge, JudgeWrapper, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.guidance import PLAIN_GUIDANCE, DecidedExample, Guidance

VERSION = 1
"""Version of the file's layout."""

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class JudgeTuning:
    """How a judge was tuned.

    Attributes:
        judge: spec of the judge.
        metric: spec of the metric, with the threshold from before.
        threshold: the fitted threshold; None if it is unchanged.
        prompts: names of the prompts that show examples and rules.
        guidance: the examples and rules.
        card: the data that it was tuned on, and the gain on held-out cases.
    """

    judge: str
    metric: str
    threshold: float | None = None
    prompts: tuple[str, ...] = ()
    guidance: Guidance = PLAIN_GUIDANCE
    card: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def digest(self) -> str:
        """A hash of everything that decides an answer."""
        parts = [self.judge, self.metric, self.threshold, self.prompts, list(self.guidance.blocks())]
        return blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()

    def to_toml(self) -> str:
        """Return the file's text."""
        return "\n".join(_lines(self)) + "\n"


class TunedJudge(JudgeWrapper):
    """Wraps a judge and shows it examples and rules.

    Attributes:
        judge: the judge that is asked.
        tuning: the examples and rules, the prompts that show them, and the fitted threshold.
    """

    def __init__(self, judge: Judge, tuning: JudgeTuning) -> None:
        """Wrap `judge` with the examples and rules of `tuning`."""
        super().__init__(judge)
        self.tuning = tuning
        self.combines = judge.combines and not tuning.guidance
        self._digest = tuning.digest

    @property
    def name(self) -> str:
        """The judge's name and the beginning of the hash."""
        return f"{self.judge.name}+tuned-{self._digest[:8]}"

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the judge's answer to the prompt with examples and rules."""
        return await self.judge.ask(self._guided(prompt))

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return the answer that the judge knows without asking."""
        return self.judge.recall(self._guided(prompt))

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return the judge's fingerprint of the prompt with examples and rules."""
        return self.judge.fingerprint(self._guided(prompt))

    def wording(self, prompt: type[Prompt[Any]]) -> str | None:
        """Return the digest of the wording of a prompt, with the examples and rules if the prompt shows them."""
        plain = self.judge.wording(prompt)
        if plain is None or prompt.__name__ not in self.tuning.prompts:
            return plain
        return blake2b(f"{plain} {self._digest}".encode(), digest_size=6).hexdigest()

    def in_batches(self) -> "TunedJudge":
        """Return the tuned judge with requests sent through the vendor's batch API."""
        return TunedJudge(self.judge.in_batches(), self.tuning)

    def tuned_threshold(self, spec: str) -> float | None:
        """Return the threshold that was fitted for the metric with that spec, None without one."""
        return self.tuning.threshold if spec == self.tuning.metric else None

    def _guided(self, prompt: Prompt[A]) -> Prompt[A]:
        if not self.tuning.guidance or type(prompt).__name__ not in self.tuning.prompts:
            return prompt
        return replace(prompt, guidance=self.tuning.guidance)


def is_judge_file(spec: str) -> bool:
    """Return whether a judge's spec names a file of a tuned judge."""
    return spec.endswith(".toml")


def read_judge_file(path: str | Path) -> JudgeTuning:
    """Return the tuning in a file.

    Raises:
        BadOption: it cannot be read, has another version, or was changed since it was written.
    """
    import tomllib  # noqa: PLC0415  (few judges are tuned)

    try:
        data: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        tuning = JudgeTuning(
            judge=str(data["judge"]),
            metric=str(data["metric"]),
            threshold=data.get("threshold"),
            prompts=tuple(data["prompts"]),
            guidance=Guidance(
                tuple(_parse_example(item) for item in data.get("examples", ())), tuple(data.get("rules", ()))
            ),
            card=data.get("card", {}),
        )
        digest, version = data["hash"], data["version"]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadOption(f"The judge {path} cannot be read: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise BadOption(
            f"{path} is not the file of a tuned judge ({error}): create one with `ragstone tune`"
        ) from None
    if version != VERSION:
        raise BadOption(
            f"{path} has version {version!r}, but this ragstone reads version {VERSION}: tune the judge again"
        )
    if digest != tuning.digest:
        raise BadOption(
            f"{path} was changed after it was written (hash {digest!r}, now {tuning.digest!r}): its card was measured "
            "with the earlier content. Tune the judge again."
        )
    return tuning


def _parse_example(entry: Mapping[str, Any]) -> DecidedExample:
    if entry["decision"] not in ("pass", "fail"):
        raise ValueError(f"decision {entry['decision']!r}")
    texts: tuple[tuple[str, EvidenceText], ...] = tuple(
        (str(label), tuple(map(str, cast("list[object]", text))) if isinstance(text, list) else str(text))
        for label, text in entry["texts"]
    )
    return DecidedExample(str(entry["case"]), texts, entry["decision"], str(entry.get("note", "")))


def _lines(tuning: JudgeTuning) -> Iterator[str]:
    yield "# A judge tuned by `ragstone tune`: pass this file to --judge. It contains texts of labelled cases."
    head = {"version": VERSION, "hash": tuning.digest, "judge": tuning.judge, "metric": tuning.metric}
    head |= {} if tuning.threshold is None else {"threshold": tuning.threshold}
    head |= {"prompts": tuning.prompts}
    head |= {"rules": tuning.guidance.rules} if tuning.guidance.rules else {}
    yield from _settings(head)
    yield "\n[card]"
    yield from _settings(tuning.card)
    for example in tuning.guidance.examples:
        yield "\n[[examples]]"
        fields = {"case": example.case_id, "decision": example.decision, "note": example.note}
        yield from _settings({**fields, "texts": example.texts})


def _settings(values: Mapping[str, object]) -> Iterator[str]:
    return (f"{name} = {_toml_value(value)}" for name, value in values.items())


def _toml_value(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return "{" + ", ".join(f"{name} = {_toml_value(part)}" for name, part in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml_value, cast("Sequence[object]", value))) + "]"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for the lone character that JSON leaves as it is.
        text = value.encode("utf-8", "replace").decode("utf-8")
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)
