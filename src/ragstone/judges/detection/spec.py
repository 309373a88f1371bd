"""Specs of detectors behind a server: `tei:http://127.0.0.1:8080`, `vllm:MODEL@http://…`, with options behind `#`."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ragstone.errors import BadOption
from ragstone.judges.detection.served import SPEC_OPTIONS, ServedDetector
from ragstone.judges.detector import DetectorJudge
from ragstone.permissions import allow_host

_NUMBERS = ("threshold", "band")


def served_detector(spec: str, detector: Callable[..., ServedDetector]) -> DetectorJudge:
    """Return the judge of a spec such as `tei:http://127.0.0.1:8080#threshold=0.4`.

    Raises:
        BadOption: the address or an option is invalid.
        UsageError: somebody else's spec names the host that would get the key.
    """
    place, _, fragment = spec.partition(":")[2].partition("#")
    model, _, address = place.rpartition("@") if "@http" in place else ("", "", place)
    options: dict[str, Any] = dict(parse_qsl(fragment, keep_blank_values=True))
    try:
        if "max_tokens" in options:
            options["max_tokens"] = int(options["max_tokens"])
        numbers: dict[str, Any] = {name: float(options.pop(name)) for name in _NUMBERS if name in options}
        found = detector(base_url=address, model=model, **options)
    except (TypeError, ValueError) as error:
        raise BadOption(
            f"{spec}: {error}. Behind # write {', '.join((*_NUMBERS, *SPEC_OPTIONS))} with =, and & between two."
        ) from None
    if found.api_key:
        allow_host(spec.partition("@")[0].partition("#")[0], urlsplit(address).hostname or "")
    return DetectorJudge(detector=found, **numbers)
