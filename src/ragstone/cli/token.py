"""`ragstone token`: tokens of machines for the page's API and the trace receiver."""

from typing import Annotated, cast, get_args

import click

from ragstone import store as stores
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._options import Json, StoreName
from ragstone.cli._output import print_document, print_json
from ragstone.cli._store import command_entry, locate_store, open_existing_store
from ragstone.errors import BadOption
from ragstone.show.document import Document, Item, line, listed, quiet, strong
from ragstone.store.read.audit_log import Role
from ragstone.store.read.tokens import AccessToken


@subcommand("token")
def command(
    name: str | None = None,
    *,
    role: Annotated[str | None, OptionSpec(type=click.Choice(get_args(Role)))] = None,
    days: Annotated[int | None, OptionSpec(type=click.IntRange(1, 36_500), metavar="N")] = None,
    revoke: bool = False,
    as_json: Json = False,
    store: StoreName = None,
) -> None:
    """Make the token NAME with a role, or revoke it; without NAME, list all tokens.

    The token is written to standard output once; the store has only its hash. A program sends it as `Authorization:
    Bearer TOKEN` to the API of `ragstone serve` and to the trace receiver. A sender sends traces and feedback and reads
    nothing; a reader reads; an annotator also annotates; an owner may do everything.

    Options:
        role: Make a token with this role.
        days: It expires after N days. Default: never.
        revoke: Revoke the token NAME for good.

    Examples:
      ragstone token shop --role sender --days 90
      ragstone token
      ragstone token shop --revoke
    """
    if revoke and name:
        is_new = open_existing_store(store).tokens.revoke(name, command_entry("revoke_token", name))
        print_message(f"revoked: {name}" if is_new else f"{name} was revoked before")
    elif name and role:
        detail = f"role {role}" + (f", {days} days" if days else "")
        tokens = stores.open_store(locate_store(store)).tokens
        click.echo(tokens.make(name, cast("Role", role), command_entry("make_token", name, detail), days))
        print_message(f"{name} is a {role}. This is the token: it is not shown again.")
    elif name or role or days or revoke:
        raise BadOption(
            "Give NAME with --role to make a token, NAME with --revoke to revoke it, or neither to list all."
        )
    else:
        found = open_existing_store(store).tokens.all()
        if as_json:
            print_json([token.plain() for token in found])
            return
        print_document(
            Document("", (), (), listed([*map(_item, found)] or [Item(line(quiet("No token yet.")))]))
        )


def _item(token: AccessToken) -> Item:
    author = f"by {token.created_by}" if token.created_by else ""
    made = " ".join(filter(None, (f"made {token.created:%Y-%m-%d}", author)))
    expires = f"expires {token.expires:%Y-%m-%d}" if token.expires else "never expires"
    state = f"revoked {token.revoked:%Y-%m-%d %H:%M}" if token.revoked else token.state
    return Item(line(strong(token.name), "  ", quiet(f"{token.role} · {state} · {made} · {expires}")))
