"""`ragstone judges`: which judges can be used here, and which one to use next."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.cli._command import subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import Json, StoreName
from ragstone.cli._output import print_document, print_json
from ragstone.cli._store import open_existing_store
from ragstone.config import read_settings
from ragstone.errors import StoreError, UsageError
from ragstone.findings.numbers import percent
from ragstone.judges import get_judge
from ragstone.judges.local.accuracy import everyday_accuracy
from ragstone.plugins import installed
from ragstone.providers.http.address import from_environment
from ragstone.providers.local_servers import USUAL_PORTS, local_servers
from ragstone.show.document import Document, Item, Items, Paragraph, line, quiet, strong

if TYPE_CHECKING:
    from ragstone.findings.exam import ExamReport
    from ragstone.store import Store

_KEYS = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "mistral": ("MISTRAL_API_KEY",),
}
"""Vendors with a default model, and the variables of their keys."""
_DETECTORS = "tei:"
"""The beginning of the specs of judges that pass on the reviews of which an exam consists."""


@dataclass(frozen=True, slots=True)
class _UsableJudge:
    """A judge that can be used here."""

    judge: str
    found: str
    exam: str | None = None
    fitness: str | None = None
    accuracy: float | None = None


@subcommand("judges")
def command(*, as_json: Json = False, store: StoreName = None) -> None:
    """List the judges that can be used here, with what their exams showed.

    The embedded judge, vendors whose key is set, judges of the configuration and of installed packages, and the models
    of servers on this machine: Ollama, LM Studio, llama.cpp, vLLM and Text Embeddings Inference at their usual ports.
    Only loopback addresses are asked, and no key is sent anywhere.

    Examples:
      ragstone judges
      ragstone judges --json | jq -r '.[].judge'
    """
    exams = _open(store)
    judges = [_examined(judge, found, exams) for judge, found in dict(_found()).items()]
    if as_json:
        print_json(judges)
        return
    print_document(_document(judges))


def _found() -> Iterator[tuple[str, str]]:
    """Yield the spec of each judge, and what it is."""
    yield "local", "embedded: no key, sends nothing"
    for server in local_servers():
        yield from ((judge, f"{server.program} at {server.address}") for judge in server.judges)
    for vendor, variables in _KEYS.items():
        if key := next((name for name in variables if from_environment(name)), None):
            yield get_judge(vendor).name, f"key in {key}, not tried"
    for name, judge in read_settings({}).settings.judges.items():
        yield name, f"{judge.judge}, from the configuration"
    for name, point in {**installed("provider"), **installed("judge")}.items():
        yield name, f"from the package {point.dist.name if point.dist else point.value}"


def _open(store: str | None) -> "Store | None":
    """Return the store of the exams; None if no run was stored yet, or the default store cannot be read."""
    try:
        return open_existing_store(store)
    except (UsageError, StoreError) as error:
        if store is not None:
            raise
        if isinstance(error, StoreError):
            print_message(f"exams are not shown: {error}")
        return None


def _examined(judge: str, found: str, store: "Store | None") -> _UsableJudge:
    from ragstone.findings.exam import last_exam  # noqa: PLC0415  (imports the database library)

    exam: ExamReport | None = None if store is None else last_exam(store, judge)
    if exam is None:
        return _UsableJudge(judge, found)
    return _UsableJudge(judge, found, exam.sentence(), exam.answers.fitness, exam.answers.balanced_accuracy)


def _document(judges: list[_UsableJudge]) -> Document:
    items = [
        Item(line(strong(item.judge), f"  {item.found}"), None, (line(quiet(_exam_text(item))),))
        for item in judges
    ]
    ports = ", ".join(map(str, USUAL_PORTS))
    asked = (
        f"Asked: 127.0.0.1 at ports {ports}, and OLLAMA_HOST and OPENAI_BASE_URL if they are on this machine."
    )
    endings = (Paragraph(line(strong(_next_command(judges)))), Paragraph(line(quiet(asked))))
    return Document("", (), (), (Items(tuple(items)), *endings))


def _exam_text(item: _UsableJudge) -> str:
    claims, known = everyday_accuracy(), ""
    if item.judge == "local":
        known = f"decides {percent(claims.coverage)} of everyday claims, {percent(claims.accuracy)} right"
    if item.fitness is not None:
        accuracy = "" if item.accuracy is None else f", balanced accuracy {item.accuracy:.2f}"
        result = f"{item.fitness}{accuracy}"
        return f"{known}; whole answers, by its exam: {result}" if known else result
    if item.judge.startswith(_DETECTORS):
        return "measure it on labelled claims: ragstone agree LABELLED --prompt judge_claims"
    return known or "no exam known"


def _next_command(judges: list[_UsableJudge]) -> str:
    """Return the command to run next: the best judge by its exam; else the exam of the first that has none."""
    fit = [item for item in judges if item.fitness == "fit to decide cases"]
    if fit:
        best = max(fit, key=lambda item: item.accuracy or 0.0)
        return f"Best by its exam: ragstone run DATASET --judge {best.judge}"
    others = (item.judge for item in judges[1:] if item.exam is None)
    unknown = next((judge for judge in others if not judge.startswith(_DETECTORS)), None)
    return f"Next: ragstone exam --judge {unknown}" if unknown else "Next: ragstone run DATASET --judge local"
