"""Anthropic's message batches, spoken strictly. Rules: the API reference ("Message Batches") and the guide to them.

What is wrong with a single message is told only in the results; counts stand at `processing` until the end.
"""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.servers._batches import Batch, BatchShop
from tests.servers._traffic import Recorded, WireError

if TYPE_CHECKING:
    from tests.servers.anthropic import AnthropicServer

_BASE = "/v1/messages/batches"
_KEY = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class AnthropicBatchShop(BatchShop):
    """`/v1/messages/batches`."""

    most_requests = 100_000
    most_bytes = 256_000_000

    def __init__(self, server: "AnthropicServer") -> None:
        super().__init__(lambda body: server.complete(body, "2023-06-01"))
        self._server = server

    def routes(self) -> Mapping[tuple[str, str], Any]:
        return {
            ("POST", _BASE): self._create,
            ("GET", _BASE): self._list,
            ("GET", f"{_BASE}/{{batch}}"): self._retrieve,
            ("GET", f"{_BASE}/{{batch}}/results"): self._results,
            ("POST", f"{_BASE}/{{batch}}/cancel"): self._cancel,
        }

    async def _create(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        if len(recorded.raw) > self.most_bytes:
            raise WireError(413, "Request exceeds the maximum size")
        if set(recorded.body) != {"requests"} or not isinstance(recorded.body["requests"], list):
            raise WireError(400, "requests: Field required")
        requests: dict[str, Any] = {}
        for place, entry in enumerate(recorded.body["requests"]):
            self._check(place, entry, requests)
            requests[entry["custom_id"]] = entry["params"]
        if not 1 <= len(requests) <= self.most_requests:
            raise WireError(400, f"requests: List should have 1 to {self.most_requests} items")
        batch = Batch(f"msgbatch_{len(self.made) + 1:06d}", requests)
        await self.accept(batch)
        return await self._shown(batch), {}

    def _check(self, place: int, entry: Any, before: Mapping[str, Any]) -> None:
        where = f"requests.{place}"
        if not isinstance(entry, dict) or set(entry) != {"custom_id", "params"}:
            raise WireError(400, f"{where}: a request has a custom_id and params")
        if not isinstance(entry["custom_id"], str) or not _KEY.fullmatch(entry["custom_id"]):
            raise WireError(400, f"{where}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'")
        if entry["custom_id"] in before:
            raise WireError(400, f"{where}.custom_id: duplicate custom_id")
        if not isinstance(entry["params"], dict) or entry["params"].get("stream"):
            raise WireError(400, f"{where}.params: is no message that may stand in a batch")

    async def _list(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        newest_first = list(reversed(self.made))
        after, limit = recorded.query.get("after_id"), int(recorded.query.get("limit", 20))
        if not 1 <= limit <= 1000:
            raise WireError(400, "limit: Input should be between 1 and 1000")
        start = next((place + 1 for place, batch in enumerate(newest_first) if batch.id == after), 0)
        page = [await self._shown(batch) for batch in newest_first[start : start + limit]]
        ends = {"first_id": page[0]["id"] if page else None, "last_id": page[-1]["id"] if page else None}
        return {"data": page, "has_more": start + limit < len(newest_first), **ends}, {}

    async def _retrieve(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        return await self._shown(self._named(recorded.path.split("/")[-1])), {}

    async def _cancel(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        batch = self._named(recorded.path.split("/")[-2])
        batch.cancelled = True
        return await self._shown(batch), {}

    async def _results(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        batch = self._named(recorded.path.split("/")[-2])
        if not await self.work(batch):
            raise WireError(404, f"Batch {batch.id} has no available results.")
        lines = (
            {"custom_id": key, "result": self._result(outcome)}
            for key, outcome in self.results(batch)
            if outcome != "missing"
        )
        return "".join(f"{json.dumps(line)}\n" for line in lines).encode(), {}

    def _named(self, name: str) -> Batch:
        batch = self.find(name)
        if batch is None:
            raise WireError(404, f"Batch {name} not found.")
        return batch

    def _result(self, outcome: Any) -> dict[str, Any]:
        if outcome == "failed":
            outcome = (500, WireError(500, "Internal server error"))
        if isinstance(outcome, str):
            return {"type": "canceled" if outcome == "cancelled" else outcome}
        status, body = outcome
        if isinstance(body, WireError):
            return {"type": "errored", "error": self._server.error(status, body.message, **body.details)}
        return {"type": "succeeded", "message": body}

    async def _shown(self, batch: Batch) -> dict[str, Any]:
        ended = await self.work(batch)
        results = [
            self._result(outcome)["type"] for outcome in batch.outcomes.values() if outcome != "missing"
        ]
        kinds = ("succeeded", "errored", "canceled", "expired")
        counts = {kind: results.count(kind) if ended else 0 for kind in kinds}
        if ended:
            counts["succeeded"] += len(batch.requests) - len(results)
        url = f"{self._server.origin}{_BASE}/{batch.id}/results" if ended else None
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "canceling" if batch.cancelled else "in_progress",
            "request_counts": {"processing": 0 if ended else len(batch.requests), **counts},
            "created_at": batch.created.isoformat(),
            "expires_at": (batch.created + timedelta(days=1)).isoformat(),
            "ended_at": batch.created.isoformat() if ended else None,
            "cancel_initiated_at": batch.created.isoformat() if batch.cancelled else None,
            "archived_at": None,
            "results_url": url,
        }
