"""The file of a tuned judge: its judge, metric, threshold, examples, rules and card.

    ragstone tune METRIC --labels RUN     writes it
    --judge judge.toml                    uses it

The file holds texts of labelled test cases. Its hash covers everything that decides an answer, so that a file that was
changed by hand is rejected: the figures of its card were measured with another wording.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from ragstone.errors import BadOption
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.guidance import PLAIN_GUIDANCE, DecidedExample, Guidance

VERSION = 1
"""Version of the file's layout."""

_SUFFIX = ".toml"


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
        return "\n".join([*_head_lines(self), *_card_lines(self.card), *_example_lines(self.guidance)]) + "\n"


def is_judge_file(spec: str) -> bool:
    """Return whether a judge's spec names a file of a tuned judge."""
    return spec.endswith(_SUFFIX)


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
    texts = tuple((str(label), _evidence_text(text)) for label, text in entry["texts"])
    return DecidedExample(str(entry["case"]), texts, entry["decision"], str(entry.get("note", "")))


def _evidence_text(value: object) -> EvidenceText:
    return tuple(map(str, cast("Sequence[object]", value))) if isinstance(value, list) else str(value)


def _head_lines(tuning: JudgeTuning) -> Iterator[str]:
    yield "# A judge tuned by `ragstone tune`: pass this file to --judge. It contains texts of labelled cases."
    yield f"version = {VERSION}"
    yield f"hash = {_toml_value(tuning.digest)}"
    yield f"judge = {_toml_value(tuning.judge)}"
    yield f"metric = {_toml_value(tuning.metric)}"
    if tuning.threshold is not None:
        yield f"threshold = {_toml_value(tuning.threshold)}"
    yield f"prompts = {_toml_value(tuning.prompts)}"
    if tuning.guidance.rules:
        yield f"rules = {_toml_value(tuning.guidance.rules)}"


def _card_lines(card: Mapping[str, Any]) -> Iterator[str]:
    yield "\n[card]"
    yield from (f"{name} = {_toml_value(value)}" for name, value in card.items())


def _example_lines(guidance: Guidance) -> Iterator[str]:
    for example in guidance.examples:
        yield f"\n[[examples]]\ncase = {_toml_value(example.case_id)}\ndecision = {_toml_value(example.decision)}"
        yield f"note = {_toml_value(example.note)}"
        yield f"texts = {_toml_value(example.texts)}"


def _toml_value(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return "{" + ", ".join(f"{name} = {_toml_value(part)}" for name, part in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml_value, cast("Sequence[object]", value))) + "]"
    if isinstance(
        value, str
    ):  # JSON's escapes are TOML's, but for the lone character that JSON leaves as it is
        text = value.encode("utf-8", "replace").decode("utf-8")
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)
