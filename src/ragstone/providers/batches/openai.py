"""OpenAI's Batch API: a file of requests is uploaded and a batch created from it; results are two files.

A batch holds requests to one model. Format: https://platform.openai.com/docs/api-reference/batch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast
from uuid import uuid4

from pydantic import BaseModel
from pydantic_core import to_json

from ragstone.providers.batches.api import (
    CLOCK_SKEW_SECONDS,
    PAGE_SIZE,
    BatchClient,
    BatchLabel,
    BatchStatus,
    Outcome,
    Unanswered,
    read_entries,
)
from ragstone.providers.http.failures import (
    AttemptFailure,
    FailureKind,
    clean,
    failure_from_response,
    failure_from_status,
)

_VENDOR = "OpenAI"

_PATH = b"/v1/chat/completions"
_END_STATUSES = frozenset({"completed", "failed", "expired", "cancelled"})
_UNANSWERED_CODES = {"batch_expired": Unanswered.EXPIRED, "batch_cancelled": Unanswered.CANCELLED}


@dataclass(frozen=True, slots=True)
class OpenAIBatches:
    """Batches at OpenAI; `base` is the URL below which `/files` and `/batches` are."""

    base: str
    max_requests: int = 50_000
    max_bytes: int = 200_000_000

    def line(self, key: str, body: bytes) -> bytes:
        """Return a request as a line of the file."""
        return b'{"custom_id":"%s","method":"POST","url":"%s","body":%s}\n' % (key.encode(), _PATH, body)

    async def submit(self, client: BatchClient, lines: Sequence[bytes], label: BatchLabel) -> BatchStatus:
        """Upload the file, which may be repeated, and create the batch, which may not."""
        kind, form = _multipart_form(lines, f"ragstone-{label.run}-{label.number}.jsonl")
        uploaded = await client.read(_File, client.post("files", form, kind=kind), _VENDOR)
        parameters = {
            "input_file_id": uploaded.id,
            "endpoint": _PATH.decode(),
            "completion_window": "24h",
            "metadata": _metadata(label),
        }
        created = client.post("batches", to_json(parameters), once=True)
        return _status(await client.read(_FileBatch, created, _VENDOR), client, len(lines))

    async def poll(self, client: BatchClient, batch: str) -> BatchStatus:
        """Return the status of a batch."""
        return _status(await client.read(_FileBatch, client.get(f"batches/{batch}"), _VENDOR), client)

    async def results(self, client: BatchClient, status: BatchStatus) -> Iterable[tuple[str, Outcome]]:
        """Return the results from the output file and the error file."""
        files = [await client.get(path) for path in status.results]
        where = client.about(status.id)
        entries = chain.from_iterable(map(read_entries, files))
        return ((key, _outcome(entry, where, client.secrets)) for key, entry in entries)

    async def cancel(self, client: BatchClient, batch: str) -> None:
        """Cancel a batch."""
        await client.post(f"batches/{batch}/cancel")

    async def find(self, client: BatchClient, label: BatchLabel) -> BatchStatus | None:
        """Return the batch with this label, which is stored in its metadata."""
        query: dict[str, str | int] = {"limit": PAGE_SIZE}
        while True:
            page = await client.read(_FileBatchPage, client.get("batches", query), _VENDOR)
            for batch in page.data:
                if batch.metadata == _metadata(label):
                    return _status(batch, client)
            if not page.has_more or page.data[-1].created_at < label.since - CLOCK_SKEW_SECONDS:
                return None
            query["after"] = page.data[-1].id


def _metadata(label: BatchLabel) -> Mapping[str, str]:
    return {"ragstone_run": label.run, "ragstone_batch": str(label.number)}


def _multipart_form(lines: Sequence[bytes], name: str) -> tuple[str, bytes]:
    """Return the media type and the body of a multipart form with a file."""
    boundary = uuid4().hex
    header = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/jsonl\r\n\r\n"
    )
    return (
        f"multipart/form-data; boundary={boundary}",
        b"".join((header.encode(), *lines, f"\r\n--{boundary}--\r\n".encode())),
    )


def _status(batch: "_FileBatch", client: BatchClient, count: int = 0) -> BatchStatus:
    counts = batch.request_counts or _FileBatchCounts()
    refused, too_much = _rejection(batch, client)
    return BatchStatus(
        batch.id,
        total=counts.total or count,
        answered=counts.completed + counts.failed,
        ended=batch.status in _END_STATUSES,
        results=tuple(
            f"files/{file}/content" for file in (batch.output_file_id, batch.error_file_id) if file
        ),
        refused=refused,
        too_much=too_much,
    )


def _rejection(batch: "_FileBatch", client: BatchClient) -> tuple[AttemptFailure | None, bool]:
    """Return why a whole batch was rejected, and whether because it was too large for the queue."""
    if batch.status != "failed":
        return None, False
    error = next(iter((batch.errors or _Errors()).data or ()), _Error())
    message = clean(error.message or error.code or "no reason given", client.secrets)
    where = client.about(batch.id)
    if error.code == "model_not_found":
        return failure_from_status(where, 404, message), False
    failure = AttemptFailure(
        FailureKind.ANSWERED, f"{where} failed: {message}", again=False, parameter=error.param, words=message
    )
    return failure, error.code == "token_limit_exceeded"


def _outcome(entry: dict[str, Any], where: str, secrets: tuple[str, ...]) -> Outcome:
    response: Any = entry.get("response")
    if not isinstance(response, dict):
        error: Any = entry.get("error") or {}
        code = error.get("code")
        words = clean(str(error.get("message") or code or "no reason given"), secrets)
        return _UNANSWERED_CODES.get(code) or AttemptFailure(
            FailureKind.ANSWERED, f"{where} gave no answer: {words}", words=words
        )
    fields = cast("dict[str, Any]", response)
    body, status = to_json(fields.get("body")), fields.get("status_code")
    if status == 200:  # noqa: PLR2004  (OK)
        return body
    return failure_from_response(where, status if isinstance(status, int) else 500, {}, body, secrets)


class _File(BaseModel):
    id: str


class _FileBatchCounts(BaseModel):
    total: int = 0
    completed: int = 0
    failed: int = 0


class _Error(BaseModel):
    code: str | None = None
    message: str | None = None
    param: str | None = None


class _Errors(BaseModel):
    data: tuple[_Error, ...] | None = None


class _FileBatch(BaseModel):
    id: str
    status: str
    created_at: float = 0.0
    errors: _Errors | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    request_counts: _FileBatchCounts | None = None
    metadata: dict[str, str] | None = None


class _FileBatchPage(BaseModel):
    data: tuple[_FileBatch, ...] = ()
    has_more: bool = False
