"""Specs of judges behind a server that return probabilities: `tei:URL`, `vllm:MODEL@URL`, `decisions:URL`."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ragstone.errors import BadOption
from ragstone.judges.decision_model import DecisionJudge
from ragstone.judges.detection.served import SPEC_OPTIONS, ServedDetector
from ragstone.judges.detection.server import DecisionServer
from ragstone.judges.detector import DetectorJudge
from ragstone.permissions import allow_host

_NUMBERS = ("threshold", "band")


def served_detector(spec: str, detector: Callable[..., ServedDetector]) -> DetectorJudge:
    """Return the judge of a detector's spec such as `tei:http://127.0.0.1:8080#threshold=0.4`.

    Raises:
        BadOption: the address or an option is invalid.
        UsageError: somebody else's spec names the host that would get the key.
    """
    address, numbers, options = _parts(spec, _NUMBERS, SPEC_OPTIONS)
    if "scores" in options and not hasattr(detector, "scores"):
        raise _unknown(spec, "scores is an option of llama-rerank", _NUMBERS, SPEC_OPTIONS)
    found = detector(**address, **options)
    _allow_key(spec, found.api_key)
    return DetectorJudge(detector=found, **numbers)


def decision_judge(spec: str) -> DecisionJudge:
    """Return the judge of a decision model's spec; see `served_detector`."""
    address, numbers, _ = _parts(spec, ("threshold",), ())
    server = DecisionServer(**address)
    _allow_key(spec, server.api_key)
    return DecisionJudge(server=server, **numbers)


def _parts(
    spec: str, numbers: tuple[str, ...], names: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    place, _, fragment = spec.partition(":")[2].partition("#")
    model, _, address = place.rpartition("@") if "@http" in place else ("", "", place)
    given: dict[str, Any] = dict(parse_qsl(fragment, keep_blank_values=True))
    if unknown := [name for name in given if name not in {*numbers, *names}]:
        raise _unknown(spec, f"there is no option {unknown[0]}", numbers, names)
    try:
        found = {name: float(given.pop(name)) for name in numbers if name in given}
        if "max_tokens" in given:
            given["max_tokens"] = int(given["max_tokens"])
    except ValueError as error:
        raise _unknown(spec, str(error), numbers, names) from None
    return {"base_url": address, "model": model}, found, given


def _unknown(spec: str, problem: str, numbers: tuple[str, ...], names: tuple[str, ...]) -> BadOption:
    return BadOption(
        f"{spec}: {problem}. Behind # write {', '.join((*numbers, *names))} with =, and & between two."
    )


def _allow_key(spec: str, key: str | None) -> None:
    address = spec.partition("#")[0].rpartition("@")[2] if "@http" in spec else spec.partition(":")[2]
    if key:
        allow_host(spec.partition("@")[0].partition("#")[0], urlsplit(address).hostname or "")
