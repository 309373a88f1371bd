"""OpenAI's files and batches, spoken strictly. Rules: the API reference ("Files", "Batch") and the guide to batches."""

import json
import re
from collections.abc import Mapping
from email import message_from_bytes
from email.message import Message
from typing import TYPE_CHECKING, Any

from tests.servers._batches import Batch, BatchShop
from tests.servers._fields import mapping, misfit, text
from tests.servers._traffic import Recorded, WireError

if TYPE_CHECKING:
    from tests.servers.openai import OpenAIServer

_ENDPOINT = "/v1/chat/completions"
_LINE = {"custom_id", "method", "url", "body"}
_CREATE = {
    "input_file_id": text(required=True),
    "endpoint": text("/v1/chat/completions", "/v1/embeddings", "/v1/responses", required=True),
    "completion_window": text("24h", required=True),
    "metadata": mapping(),
    "output_expires_after": mapping(),
}
_FATES = {
    "expired": (
        "batch_expired",
        "This request could not be executed before the completion window expired.",
    ),
    "cancelled": ("batch_cancelled", "This request was cancelled."),
    "failed": ("server_error", "The server had an error while processing your request."),
}


class OpenAIBatchShop(BatchShop):
    """`/files` and `/batches`.

    Attributes:
        queue: how many requests of all batches together may wait; None for any number.
        files: their contents by id.
    """

    def __init__(self, server: "OpenAIServer") -> None:
        super().__init__(server.complete)
        self._server = server
        self.queue: int | None = None
        self.files: dict[str, bytes] = {}
        self._problems: dict[str, tuple[str, str, int | None]] = {}

    def routes(self, base: str) -> Mapping[tuple[str, str], Any]:
        return {
            ("POST", f"{base}/files"): self._upload,
            ("GET", f"{base}/files/{{file}}/content"): self._content,
            ("POST", f"{base}/batches"): self._create,
            ("GET", f"{base}/batches"): self._list,
            ("GET", f"{base}/batches/{{batch}}"): self._retrieve,
            ("POST", f"{base}/batches/{{batch}}/cancel"): self._cancel,
        }

    async def _upload(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        parts = _form(recorded)
        if parts.get("purpose", b"").decode() != "batch":
            raise WireError(400, "'purpose' is not one of the allowed values.", param="purpose")
        if "file" not in parts:
            raise WireError(400, "'file' is a required property", param="file")
        if len(parts["file"]) > self.most_bytes:
            raise WireError(413, "The file is larger than a batch may be.")
        name = f"file-{len(self.files) + 1:06d}"
        self.files[name] = parts["file"]
        shown = {"id": name, "object": "file", "bytes": len(parts["file"]), "created_at": 1_760_000_000}
        return {**shown, "filename": "requests.jsonl", "purpose": "batch", "status": "processed"}, {}

    async def _content(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        name = recorded.path.split("/")[-2]
        if name not in self.files:
            raise WireError(404, f"No such File object: {name}", param="id")
        return self.files[name], {}

    async def _create(self, recorded: Recorded) -> tuple[Any, Any]:
        body = self._server.admit(recorded)
        wrong = misfit(body, _CREATE)
        if wrong is not None:
            raise WireError(400, f"Invalid value for '{wrong.name}' ({wrong.wrong}).", param=wrong.name)
        _check_metadata(body.get("metadata") or {})
        if body["input_file_id"] not in self.files:
            raise WireError(404, f"No such File object: {body['input_file_id']}", param="input_file_id")
        batch = Batch(f"batch_{len(self.made) + 1:06d}", {}, metadata=body.get("metadata"))
        problem = self._check(batch, self.files[body["input_file_id"]], body["endpoint"])
        if problem is not None:
            self._problems[batch.id] = problem
            batch.requests = {}
        await self.accept(batch)
        return await self._shown(batch), {}

    def _check(self, batch: Batch, file: bytes, endpoint: str) -> tuple[str, str, int | None] | None:
        """Read the file into the batch; the code, words and line of what is wrong with it."""
        models: set[str] = set()
        for number, line in enumerate(file.splitlines(), 1):
            try:
                request = json.loads(line)
            except ValueError:
                return "invalid_json_line", "This line is not parseable as valid JSON.", number
            if set(request) != _LINE or request["method"] != "POST":
                return "invalid_request", f"A line has exactly {sorted(_LINE)}.", number
            if request["url"] != endpoint or endpoint != _ENDPOINT:
                return "mismatched_endpoint", f"The URL must be {endpoint}.", number
            if request["custom_id"] in batch.requests:
                return "duplicate_custom_id", "The custom_id is used already.", number
            batch.requests[request["custom_id"]] = request["body"]
            models.add(request["body"].get("model"))
        return self._check_whole(batch, models)

    def _check_whole(self, batch: Batch, models: set[str]) -> tuple[str, str, int | None] | None:
        if not batch.requests:
            return "empty_file", "The input file is empty.", None
        if len(batch.requests) > self.most_requests:
            return "too_many_tasks", f"A batch holds at most {self.most_requests} requests.", None
        if len(models) > 1:
            return "mismatched_model", "All requests of a batch must name one model.", None
        try:
            self._server.check_model(models.pop())
        except WireError as error:
            return "model_not_found", error.message, 1
        waiting = sum(len(other.requests) for other in self.made if not other.outcomes)
        if self.queue is not None and waiting + len(batch.requests) > self.queue:
            return "token_limit_exceeded", "Enqueued token limit reached for this model.", None
        return None

    async def _list(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        newest_first = list(reversed(self.made))
        after, limit = recorded.query.get("after"), int(recorded.query.get("limit", 20))
        if not 1 <= limit <= 100:
            raise WireError(400, "'limit' must be between 1 and 100.", param="limit")
        start = next((place + 1 for place, batch in enumerate(newest_first) if batch.id == after), 0)
        page = [await self._shown(batch) for batch in newest_first[start : start + limit]]
        ends = {"first_id": page[0]["id"], "last_id": page[-1]["id"]} if page else {}
        return {"object": "list", "data": page, "has_more": start + limit < len(newest_first), **ends}, {}

    async def _retrieve(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        return await self._shown(self._named(recorded.path.split("/")[-1])), {}

    async def _cancel(self, recorded: Recorded) -> tuple[Any, Any]:
        self._server.admit(recorded)
        batch = self._named(recorded.path.split("/")[-2])
        batch.cancelled = True
        return await self._shown(batch), {}

    def _named(self, name: str) -> Batch:
        batch = self.find(name)
        if batch is None:
            raise WireError(404, f"No batch found with id '{name}'.", param="id")
        return batch

    async def _shown(self, batch: Batch) -> dict[str, Any]:
        ended, problem = await self.work(batch), self._problems.get(batch.id)
        done = [outcome for outcome in batch.outcomes.values() if isinstance(outcome, tuple)]
        well = sum(status == 200 for status, _ in done)
        total = len(batch.requests)
        so_far = well if ended else int(total * max(0.0, self.age(batch) - 0.25))
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": _ENDPOINT,
            "completion_window": "24h",
            "created_at": int(batch.created.timestamp()),
            "input_file_id": "file-input",
            "status": self._status(batch, ended=ended),
            "errors": {"object": "list", "data": [_problem(*problem)]} if problem else None,
            "output_file_id": self._file(batch, good=True) if ended and well else None,
            "error_file_id": self._file(batch, good=False) if ended and well < total else None,
            "request_counts": {"total": total, "completed": so_far, "failed": total - well if ended else 0},
            "metadata": batch.metadata,
        }

    def _status(self, batch: Batch, *, ended: bool) -> str:
        if batch.id in self._problems:
            return "failed"
        if not ended:
            states = ("validating", "in_progress", "in_progress", "finalizing")
            return states[int(self.age(batch) * len(states))]
        if batch.cancelled:
            return "cancelled"
        return "expired" if "expired" in batch.outcomes.values() else "completed"

    def _file(self, batch: Batch, *, good: bool) -> str:
        name = f"file-{batch.id}-{'output' if good else 'error'}"
        lines = [
            _line(number, key, outcome, self._server)
            for number, (key, outcome) in enumerate(self.results(batch))
            if outcome != "missing" and good == (isinstance(outcome, tuple) and outcome[0] == 200)
        ]
        self.files[name] = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        return name


def _line(number: int, key: str, outcome: Any, server: "OpenAIServer") -> dict[str, Any]:
    whose = {"id": f"batch_req_{number:06d}", "custom_id": key}
    if isinstance(outcome, str):
        code, message = _FATES[outcome]
        return {**whose, "response": None, "error": {"code": code, "message": message}}
    status, body = outcome
    if isinstance(body, WireError):
        body = server.error(status, body.message, **body.details)
    response = {"status_code": status, "request_id": f"req_{number:06d}", "body": body}
    return {**whose, "response": response, "error": None}


def _problem(code: str, message: str, line: int | None) -> dict[str, Any]:
    return {"code": code, "message": message, "line": line, "param": None}


def _check_metadata(metadata: Mapping[str, Any]) -> None:
    if len(metadata) > 16:
        raise WireError(400, "Metadata has at most 16 pairs.", param="metadata")
    for key, value in metadata.items():
        if len(key) > 64 or not isinstance(value, str) or len(value) > 512:
            raise WireError(
                400, "A metadata key has at most 64 characters, a value is text of 512.", param="metadata"
            )


def _form(recorded: Recorded) -> dict[str, bytes]:
    kind = next((value for name, value in recorded.headers.items() if name.lower() == "content-type"), "")
    if not re.match(r"multipart/form-data; *boundary=", kind):
        raise WireError(400, "A file is uploaded as multipart/form-data.")
    message = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + recorded.raw)
    parts = [part for part in message.walk() if part is not message and isinstance(part, Message)]
    found = {str(part.get_param("name", header="content-disposition")): part for part in parts}
    return {name: part.get_payload(decode=True) or b"" for name, part in found.items()}  # type: ignore[misc]
