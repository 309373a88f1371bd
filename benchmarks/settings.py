"""Settings and counts of the benchmark's judge."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass
class Settings:
    """Every field is a flag of the command and a key of `POST /config`.

    Attributes:
        latency_ms: Time to an answer.
        jitter_ms: Additional uniformly distributed time, seeded.
        invalid_json: Share of answers whose JSON breaks off.
        poisoned: Share of prompts whose every answer is broken, by the prompt's hash.
        error_500: Share of calls answered by 500.
        reset: Share of calls whose connection is reset.
        stall: Share of calls that never get an answer.
        rate: Calls per second above which the answer is 429; 0 for no limit.
        burst: Calls allowed at once under `rate`.
        retry_after: Seconds sent with a 429; 0 sends the time until the next call is allowed.
        seed: Seed of jitter and faults.
        key: The one accepted key; empty accepts any.
    """

    latency_ms: float = 0.0
    jitter_ms: float = 0.0
    invalid_json: float = 0.0
    poisoned: float = 0.0
    error_500: float = 0.0
    reset: float = 0.0
    stall: float = 0.0
    rate: float = 0.0
    burst: int = 20
    retry_after: float = 0.0
    seed: int = 0
    key: str = ""

    def change(self, given: dict[str, Any]) -> None:
        """Apply new values.

        Raises:
            ValueError: An unknown name, or a value of another type.
        """
        kinds = {entry.name: type(entry.default) for entry in fields(self)}
        for name, value in given.items():
            if name not in kinds:
                raise ValueError(f"unknown setting {name!r}; there are {', '.join(kinds)}")
            if not isinstance(value, kinds[name]) and not (kinds[name] is float and isinstance(value, int)):
                raise ValueError(f"{name} is a {kinds[name].__name__}, got {value!r}")
        for name, value in given.items():
            setattr(self, name, kinds[name](value))


@dataclass
class Counts:
    """Counts since the last reset. Tokens are characters / 4."""

    calls: int = 0
    answered: int = 0
    abandoned: int = 0
    embeddings: int = 0
    in_flight: int = 0
    peak_in_flight: int = 0
    connections: int = 0
    open_connections: int = 0
    peak_connections: int = 0
    prompt_tokens: int = 0
    schema_tokens: int = 0
    completion_tokens: int = 0
    invalid_json: int = 0
    error_500: int = 0
    reset: int = 0
    stalled: int = 0
    rate_limited: int = 0
    refused_key: int = 0
    bad_requests: int = 0
    by_schema: dict[str, int] = field(default_factory=dict)

    def shown(self, distinct: int, cpu_seconds: float) -> dict[str, Any]:
        """As JSON, with the number of distinct prompts and this process's CPU time since the last reset."""
        return asdict(self) | {"distinct_prompts": distinct, "cpu_seconds": round(cpu_seconds, 6)}
