"""`ragstone audit`: who changed what in a store."""

import json

import click

from ragstone.cli._documents import print_document
from ragstone.cli._store import open_existing_store, store_option
from ragstone.findings.numbers import count
from ragstone.show.document import Document, Item, line, listed, quiet, strong
from ragstone.store.read.audit_log import AuditLine, AuditPage, AuditQuery

_WHO = {"person": "", "token": " (token)", "page": " (not verified)", "command": " (command)"}


@click.command("audit")
@click.argument("subject", default="")
@click.option("--name", default="", help="Only changes by this person, token or account.")
@click.option("--action", default="", help="Only this action, such as delete.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="At most N changes.",
)
@click.option(
    "--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Skip the latest N changes."
)
@click.option("--json", "as_json", is_flag=True, help="Write the changes as JSON to standard output.")
@store_option
def command(  # noqa: PLR0917  (click passes them by name)
    subject: str,
    name: str,
    action: str,
    limit: int,
    offset: int,
    as_json: bool,  # noqa: FBT001
    store: str | None,
) -> None:
    """List who changed what, the latest first: on the page, through the API, by a command.

    SUBJECT is the id of a run or the name of a token: only changes of it.

    \b
    Examples:
      ragstone audit
      ragstone audit --action delete --json
      ragstone audit 20260531T071402-5f3a01
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    query = AuditQuery(name=name, action=action, subject=subject, limit=limit, offset=offset)
    page = open_existing_store(store).audit_log.page(query)
    if as_json:
        click.echo(json.dumps([found.plain() for found in page.lines], indent=2, ensure_ascii=False))
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
