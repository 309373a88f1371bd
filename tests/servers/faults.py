"""What goes wrong between a client and a model, each as one value that can be planned for the nth call.

A fault either replaces the answer (a status, a reset, a stall), or spoils it (fenced, torn, one verdict
short). The plan says when: always, the nth matching call, every nth, at most so often, only where a
pattern is found.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal

Delivery = Literal["whole", "reset", "stall", "truncated"]
Finish = Literal["stop", "length", "content_filter", "refusal", "empty"]
RetryForm = Literal["seconds", "date", "ms", "none"]


def _no_headers() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong; a `status` comes in the vendor's error shape unless `body` is given."""

    name: str
    status: int | None = None
    message: str = ""
    headers: Callable[[], Mapping[str, str]] = _no_headers
    body: str | None = None
    content_type: str | None = None
    delivery: Delivery = "whole"
    finish: Finish = "stop"
    answer: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    text: Callable[[str], str] | None = None


def rate_limited(retry_after: float = 0.05, *, form: RetryForm = "seconds") -> Fault:
    """429, saying when to come back: in seconds, as an HTTP date (whole seconds), in milliseconds, or not."""

    def headers() -> Mapping[str, str]:
        match form:
            case "seconds":
                return {"Retry-After": f"{retry_after:g}"}
            case "date":
                return {
                    "Retry-After": format_datetime(
                        datetime.now(UTC) + timedelta(seconds=retry_after), usegmt=True
                    )
                }
            case "ms":
                return {"retry-after-ms": f"{retry_after * 1000:g}"}
            case "none":
                return {}

    return Fault("rate limited", status=429, message="Rate limit reached for requests.", headers=headers)


def status(
    code: int, message: str = "The server had an error while processing your request.", **headers: str
) -> Fault:
    """Any status in the vendor's own error shape (500, 529, 400 …); `Retry_After="1"` becomes a header."""
    shown = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fault(f"status {code}", status=code, message=message, headers=lambda: shown)


def refused_key(code: Literal[401, 403] = 401) -> Fault:
    """The key is not known (401) or may not do this (403)."""
    message = "Incorrect API key provided." if code == 401 else "This key may not use this model."
    return Fault("refused key", status=code, message=message)


def proxy_page(code: int = 502) -> Fault:
    """A proxy in between answers with a page for people."""
    page = (
        f"<html><head><title>{code} Bad Gateway</title></head><body><h1>{code} Bad Gateway</h1></body></html>"
    )
    return Fault("proxy page", status=code, body=page, content_type="text/html")


def wrong_content_type(content_type: str = "text/plain") -> Fault:
    """A good answer under the wrong label."""
    return Fault("wrong content type", content_type=content_type)


def reset() -> Fault:
    """The connection is reset (TCP RST) instead of an answer."""
    return Fault("reset", delivery="reset")


def stall() -> Fault:
    """No byte ever comes; ends when the client gives up or the server closes."""
    return Fault("stall", delivery="stall")


def truncated() -> Fault:
    """Half of the promised body, then the connection closes."""
    return Fault("truncated", delivery="truncated")


def spoiled(change: Callable[[str], str], name: str = "spoiled text") -> Fault:
    """The model's text, changed."""
    return Fault(name, text=change)


def invalid_json() -> Fault:
    """The model's JSON breaks off in the middle, though the answer says it is complete."""
    return spoiled(lambda text: text[: max(1, len(text) * 2 // 3)], "invalid JSON")


def fenced() -> Fault:
    """The JSON in a Markdown fence."""
    return spoiled(lambda text: f"```json\n{text}\n```", "fenced JSON")


def prose_around() -> Fault:
    """The JSON between two sentences."""
    return spoiled(
        lambda text: f"Here is my assessment:\n\n{text}\n\nLet me know if you need more.", "prose around JSON"
    )


def misshaped(change: Callable[[dict[str, Any]], dict[str, Any]], name: str = "misshaped answer") -> Fault:
    """The model's answer, changed after it was found valid."""
    return Fault(name, answer=change)


def chatty_verdicts() -> Fault:
    """ "Yes." for yes, "No, because …" for no."""
    said = {"yes": "Yes.", "no": "No, because the passage says otherwise.", "idk": " IDK"}

    def change(entry: Any) -> Any:
        if isinstance(entry, dict) and entry.get("verdict") in said:
            return entry | {"verdict": said[entry["verdict"]]}
        return entry

    return misshaped(
        lambda answer: _with_lists(answer, lambda entries: [change(entry) for entry in entries]),
        "chatty verdicts",
    )


def one_too_few(prop: str = "verdicts") -> Fault:
    """The last entry of a list is missing."""
    return misshaped(
        lambda answer: answer | {prop: answer[prop][:-1]} if prop in answer else answer, "one too few"
    )


def one_too_many(prop: str = "verdicts") -> Fault:
    """The last entry of a list comes twice."""
    return misshaped(
        lambda answer: answer | {prop: [*answer[prop], *answer[prop][-1:]]} if prop in answer else answer,
        "one too many",
    )


def finished(finish: Finish) -> Fault:
    """The model ends otherwise: cut at the token limit, filtered, refused, or with no choice at all."""
    return Fault(f"finish {finish}", finish=finish)


def _with_lists(answer: dict[str, Any], change: Callable[[list[Any]], list[Any]]) -> dict[str, Any]:
    return {name: change(value) if isinstance(value, list) else value for name, value in answer.items()}


@dataclass
class _Planned:
    fault: Fault
    nth: Collection[int]
    every: int
    times: int | None
    matching: re.Pattern[str] | None
    seen: int = 0
    fired: int = 0

    def fires(self, text: str) -> bool:
        if self.matching is not None and self.matching.search(text) is None:
            return False
        self.seen += 1
        if self.times is not None and self.fired >= self.times:
            return False
        due = self.seen in self.nth if self.nth else self.seen % self.every == 0
        self.fired += due
        return due


@dataclass
class FaultPlan:
    """Which fault strikes which call; the first planned that is due wins."""

    planned: list[_Planned] = field(default_factory=list)

    def add(
        self,
        fault: Fault,
        *,
        nth: int | Collection[int] = (),
        every: int = 1,
        times: int | None = None,
        matching: str | None = None,
    ) -> None:
        """Plan a fault.

        Args:
            fault: What goes wrong.
            nth: Only these of the matching calls (1-based).
            every: Every so manieth of the matching calls; 1 is always.
            times: At most so often.
            matching: Only calls in whose prompt this regular expression is found.
        """
        chosen = frozenset({nth} if isinstance(nth, int) else nth)
        pattern = re.compile(matching, re.DOTALL) if matching is not None else None
        self.planned.append(_Planned(fault, chosen, every, times, pattern))

    def pick(self, text: str) -> Fault | None:
        """The fault that strikes this call; every rule counts the calls that match it."""
        due = [plan.fault for plan in self.planned if plan.fires(text)]
        return due[0] if due else None

    def clear(self) -> None:
        """All is well from now on."""
        self.planned.clear()


def dumped(answer: Mapping[str, Any]) -> str:
    """An answer as a model writes it: compact JSON, letters of every script as they are."""
    return json.dumps(answer, ensure_ascii=False)
