"""`ragstone audit`: who changed what in a store."""

from typing import Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._options import Json, StoreName
from ragstone.cli._output import print_document, print_json
from ragstone.cli._store import open_existing_store
from ragstone.findings.numbers import count
from ragstone.show.document import Document, Item, line, listed, quiet, strong
from ragstone.store.read.audit_log import AuditLine, AuditPage, AuditQuery

_WHO = {"person": "", "token": " (token)", "page": " (not verified)", "command": " (command)"}


@subcommand("audit")
def command(
    subject: str = "",
    *,
    name: str = "",
    action: str = "",
    limit: Annotated[int, OptionSpec(type=click.IntRange(min=1), metavar="N")] = 20,
    offset: Annotated[int, OptionSpec(type=click.IntRange(min=0), metavar="N")] = 0,
    as_json: Json = False,
    store: StoreName = None,
) -> None:
    """List who changed what, the latest first: on the page, through the API, by a command.

    SUBJECT is the id of a run or the name of a token: only changes of it.

    Options:
        name: Only changes by this person, token or account.
        action: Only this action, such as delete.
        limit: At most N changes.
        offset: Skip the latest N changes.

    Examples:
      ragstone audit
      ragstone audit --action delete --json
      ragstone audit 20260531T071402-5f3a01
    """
    query = AuditQuery(name=name, action=action, subject=subject, limit=limit, offset=offset)
    page = open_existing_store(store).audit_log.page(query)
    if as_json:
        print_json([found.plain() for found in page.lines])
        return
    print_document(_document(page))


def _document(page: AuditPage) -> Document:
    hidden = page.count - len(page.lines)
    note = f"{count(hidden, 'other change')} not shown; --limit and --offset show them." if hidden > 0 else ""
    ending = note if page.count else "No change matches."
    rest = [Item(line(quiet(ending)))] if ending else []
    return Document("", (), (), listed([*map(_item, page.lines), *rest]))


def _item(found: AuditLine) -> Item:
    actor = found.actor
    who = f"{actor.name or '?'}{_WHO[actor.kind]}"
    more = " · ".join(filter(None, (found.detail, f"from {actor.address}" if actor.address else "")))
    action = found.action.replace("_", " ")
    title = line(
        f"{found.at:%Y-%m-%d %H:%M:%S}  ", strong(who), f"  {action}  {found.subject}  ", quiet(more)
    )
    return Item(title)
