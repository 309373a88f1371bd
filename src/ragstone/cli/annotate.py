"""`ragstone annotate`: human annotations of the cases of a run, by keyboard or from a file."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, cast

import click

from ragstone.cli._annotation_items import AnnotationItem, annotation_items, find_spec, undecided_items
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import StoreName
from ragstone.cli._output import print_document
from ragstone.cli._store import command_entry, open_existing_store
from ragstone.errors import BadDataset, BadOption
from ragstone.private_file import write_privately
from ragstone.show.document import Document, Paragraph, StyledText, line
from ragstone.store import Annotation, CaseQuery, Store, StoredCase, StoredRun, Target
from ragstone.verdict import VerdictValue

_VERDICT_KEYS: dict[str, VerdictValue] = {"y": "yes", "n": "no", "?": "idk"}
_KEY_HELP = "y yes   n no   ? cannot tell   s skip   b back   q quit "


@subcommand("annotate")
def command(
    run: str = "last",
    *,
    annotator: Annotated[str | None, OptionSpec(metavar="NAME")] = None,
    metric: Annotated[str | None, OptionSpec("-m", "--metric", metavar="METRIC")] = None,
    claims: bool = False,
    undecided: bool = False,
    source: Annotated[
        str | None, OptionSpec("--import", type=click.Path(exists=True, dir_okay=False), metavar="FILE")
    ] = None,
    to: Annotated[
        str | None, OptionSpec("--export", type=click.Path(dir_okay=False, writable=True), metavar="FILE")
    ] = None,
    store: StoreName = None,
) -> None:
    """Annotate the answers of RUN with yes or no, one key per case: is it right, faithful, relevant?

    Cases that you have annotated are skipped, so that you can stop and continue later. The judge's verdict is not shown
    before you have given yours. `ragstone agree --run RUN` then shows how well the judge agrees with people.

    Options:
        annotator: Your name; the annotations of several people are stored side by side.
        metric: Annotate the results of this metric, not the answer as a whole.
        claims: Annotate each claim that --metric found, one by one.
        undecided: Annotate only results of --metric that are undecided in whole or in part, drawn at random.
        source: Read annotations from JSON lines.
        to: Write the annotations as JSON lines; - for standard output.

    Keys:
      y yes   n no   ? cannot tell   s skip   b back   q quit

    Examples:
      ragstone annotate nightly --annotator ada
      ragstone annotate nightly --annotator ada -m faithfulness --claims
      ragstone annotate nightly --annotator ada -m answer_acceptance --undecided
      ragstone annotate nightly --export annotations.jsonl
    """
    run_store = open_existing_store(store)
    stored = run_store.find(run)
    if to is not None:
        _export_annotations(run_store, stored, to)
    elif source is not None:
        print_message(f"{_import_annotations(run_store, stored, Path(source), annotator)} annotations read")
    elif annotator is None:
        raise BadOption("The name of the annotator is missing: give --annotator NAME")
    else:
        if claims and undecided:
            raise BadOption("--undecided annotates whole results, --claims single claims: give one of them")
        if metric is None and (claims or undecided):
            option = "--claims" if claims else "--undecided"
            raise BadOption(f"{option} annotates what one metric found: name it with --metric")
        spec = "" if metric is None else find_spec(stored, metric)
        items = annotation_items(run_store, stored, spec, claims=claims)
        if undecided:
            items = undecided_items(run_store, stored, spec, items)
        _annotate_items(run_store, stored, annotator, items)


def _annotate_items(
    store: Store, stored: StoredRun, annotator: str, every_item: Iterable[AnnotationItem]
) -> None:
    annotated = {
        (item.case_index, item.target) for item in store.annotations.of(stored.number, annotator=annotator)
    }
    items = [item for item in every_item if (item.case_index, item.target) not in annotated]
    position, given_count = 0, 0
    while position < len(items):
        _show_item(store.case(stored, items[position].case_index), items[position], position, len(items))
        key = _read_key()
        if key == "q":
            break
        if key == "b":
            position = max(0, position - 1)
            continue
        if key in _VERDICT_KEYS:
            item = items[position]
            store.annotations.put(
                stored.number,
                item.case_index,
                annotator,
                _VERDICT_KEYS[key],
                target=item.target,
                claim=item.claim,
            )
            given_count += 1
        position += 1
    if given_count:
        store.audit_log.add(
            command_entry("annotate", stored.run.id, f"{given_count} annotations, as {annotator}")
        )
    print_message(f"{given_count} annotations given, {len(items) - position} left")


def _show_item(stored_case: StoredCase, item: AnnotationItem, position: int, count: int) -> None:
    case = stored_case.case
    passages = enumerate(case.get("retrieval_context") or (), 1)
    texts = [
        line(case.actual_output or ""),
        *(line(StyledText(f"passage {number}  ", "quiet"), passage) for number, passage in passages),
        line(StyledText(f"about {item.target.spec}" if item.target.spec else "", "quiet")),
        line(StyledText("claim  ", "quiet"), StyledText(item.claim, "strong")) if item.claim else (),
        line(StyledText(_KEY_HELP, "quiet")),
    ]
    blocks = tuple(Paragraph(text) for text in texts if text)
    print_document(Document(f"{position + 1} of {count}", line(StyledText(case.input, "strong")), (), blocks))


def _read_key() -> str:
    while True:
        try:
            key = click.getchar().lower()
        except OSError as problem:  # neither standard input nor /dev/tty is a terminal
            raise BadOption(
                "annotate reads keys from a terminal; --import FILE reads annotations from a file"
            ) from problem
        if key in ("\x03", "\x04", "\x1b"):
            return "q"
        if key in (*_VERDICT_KEYS, "s", "b", "q"):
            return key


def _export_annotations(store: Store, stored: StoredRun, target: str) -> None:
    rows = (_as_plain(annotation) for annotation in store.annotations.of(stored.number))
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    if target == "-":
        click.echo(text, nl=False)
    else:
        write_privately(Path(target), text)


def _as_plain(annotation: Annotation) -> dict[str, Any]:
    return {
        "case": annotation.case_index + 1,
        "case_id": annotation.case_id,
        "metric": annotation.target.spec or None,
        "statement": annotation.target.statement,
        "claim": annotation.claim or None,
        "annotator": annotation.annotator,
        "verdict": annotation.verdict,
        "note": annotation.note or None,
    }


def _import_annotations(store: Store, stored: StoredRun, path: Path, annotator: str | None) -> int:
    """Import annotations and return their number. If a line is invalid, none is imported."""
    index_of_case = {
        item.case_id: item.case_index for item in store.table(stored).page(CaseQuery(limit=None)).lines
    }
    lines = list(_parse_lines(path, index_of_case, annotator))
    for case_index, author, verdict, options in lines:
        store.annotations.put(stored.number, case_index, author, verdict, **options)
    store.audit_log.add(command_entry("annotate", stored.run.id, f"{len(lines)} annotations from a file"))
    return len(lines)


def _parse_lines(
    path: Path, index_of_case: dict[str, int], annotator: str | None
) -> Iterator[tuple[int, str, VerdictValue, dict[str, Any]]]:
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            row = cast("dict[str, Any]", json.loads(text))
            case_index = index_of_case[row["case_id"]] if row.get("case_id") else int(row["case"]) - 1
            author, verdict = row.get("annotator") or annotator, row["verdict"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadDataset(f"{path}, line {number}: {error!r}. {_LINE_HINT}") from None
        if verdict not in _VERDICT_KEYS.values() or not author:
            raise BadDataset(
                f"{path}, line {number}: verdict {verdict!r} of annotator {author!r} is not valid. {_LINE_HINT}"
            )
        target = Target(row.get("metric") or "", row.get("statement"))
        options = {"target": target, "claim": row.get("claim") or "", "note": row.get("note") or ""}
        yield case_index, str(author), cast("VerdictValue", verdict), options


_LINE_HINT = (
    'Write {"case": 1, "annotator": "ada", "verdict": "yes"}; the verdict is yes, no or idk. A case_id of the run can '
    "replace case; metric, statement, claim and note are optional."
)
