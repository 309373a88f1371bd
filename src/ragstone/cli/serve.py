"""`ragstone serve`: the runs of a store as a live web page."""

from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._log import tell
from ragstone.cli._options import LOG_FORMAT, TRUST_PROJECT, StoreName
from ragstone.cli._receiver import Otlp, Redact, RedactWith, read_redaction, receiving
from ragstone.cli._store import locate_store
from ragstone.config import read_settings
from ragstone.errors import BadOption

if TYPE_CHECKING:
    from ragstone.cli._watching import RunningWatch
    from ragstone.dashboard.security.trusted_header import TrustedHeader

_FILE = click.Path(dir_okay=False, path_type=Path)
_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


@subcommand("serve", LOG_FORMAT, TRUST_PROJECT)
def command(
    *,
    host: Annotated[str, OptionSpec(metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, OptionSpec(type=click.IntRange(0, 65535))] = 8600,
    store: StoreName = None,
    token: Annotated[str | None, OptionSpec(is_flag=False, flag_value="", metavar="[TOKEN]")] = None,
    review: Annotated[Path | None, OptionSpec(type=_EXISTING, metavar="DRAFT")] = None,
    browser: Annotated[bool, OptionSpec("--open")] = False,
    plan: Annotated[Path | None, OptionSpec("--watch", type=_EXISTING, metavar="FILE")] = None,
    test_set: Annotated[Path | None, OptionSpec(type=_FILE, metavar="FILE")] = None,
    trust_header: Annotated[str | None, OptionSpec(metavar="HEADER")] = None,
    proxies: Annotated[tuple[str, ...], OptionSpec("--from", metavar="ADDRESS")] = (),
    people: Annotated[Path | None, OptionSpec(type=_FILE, metavar="FILE")] = None,
    otlp: Otlp = None,
    redact: Redact = None,
    redact_with: RedactWith = None,
) -> int:
    """Show runs on a web page, live, until Ctrl-C; start runs, annotate, compare.

    SIGTERM ends it likewise: streams end, and runs that were started here stop and can be resumed. With --watch, the
    exit code is 1 if something failed in the watch when it was ended.

    Options:
        host: Address to listen on; any address except loopback requires a token.
        port: Port to listen on.
        token: Require a token, also on loopback. If the value is missing or empty, a token is generated.
        review: A test set of `ragstone draft` to review, at /review.
        browser: Open the page in the browser.
        plan: Judge the received traces with the watch plan in FILE; see `ragstone watch`.
        test_set: A .jsonl file to which the pages add questions. Default: a file in the user's data folder.
        trust_header: Header in which a proxy names the person, such as X-Forwarded-User. Needs --from.
        proxies: Address or network of the proxy, such as 127.0.0.1; the header is refused from all others.
        people: TOML file with the role of each person: reader, annotator or owner. It is read again when it has
            changed. Default: people.toml in the user's data folder.

    Examples:
      ragstone serve
      ragstone serve --store postgresql://me@db/runs --port 9000
      ragstone serve --token
      ragstone serve --trust-header X-Forwarded-User --from 127.0.0.1 --people people.toml
      ragstone serve --review draft.jsonl
      ragstone serve --otlp --redact email,card --watch watch.toml
    """
    from ragstone.dashboard import serve  # noqa: PLC0415  (the web server is slow to import)
    from ragstone.dashboard.security.credentials import credentials_for  # noqa: PLC0415

    settings = read_settings({}).settings
    trusted = _trusted_header(trust_header, proxies, people)
    credentials = credentials_for(host, token, trusted)
    redaction = read_redaction(redact, redact_with)

    if test_set is not None and test_set.suffix != ".jsonl":
        raise BadOption(f"{test_set} is not a .jsonl file: name a file that ends in .jsonl.")
    draft = None
    if review is not None:
        from ragstone.drafts.review import DraftReview  # noqa: PLC0415

        draft = DraftReview(review).path  # fail now, not on the page

    def ready(port: int) -> None:
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        link = f"{address}/login?code={credentials.login_code.unused}" if credentials.token else address
        tell(f"ragstone is at {address if token else link} (Ctrl-C ends it)")
        if credentials.token is None:
            tell(
                "Every user of this machine can see, start and delete runs there: use --token to require a token."
            )
        elif token:  # a given token is not written down: standard error may be kept, and read by others
            tell("Log in, and let scripts send, the token that --token or RAGSTONE_SERVE_TOKEN gave.")
        else:
            tell(
                f"This address logs in once. For later logins and for scripts, use the token: {credentials.token}"
            )
        if trusted is not None:
            tell(_trust_notice(trusted))
        if browser:
            click.launch(link)

    location = locate_store(store)
    receiver = (
        nullcontext() if otlp is None else receiving(location, otlp, redaction, credentials.token, trusted)
    )
    judging: AbstractContextManager[RunningWatch | None] = nullcontext()
    if plan is not None:
        from ragstone.cli._watching import watching  # noqa: PLC0415  (imports judges and metrics)
        from ragstone.watch.plan import read_plan  # noqa: PLC0415

        judging = watching(location, read_plan(plan))
    running: RunningWatch | None = None
    # A second Ctrl-C may come while a worker ends.
    with suppress(KeyboardInterrupt), receiver, judging as watch:
        running = watch
        serve(
            location,
            host=host,
            port=port,
            settings=settings,
            credentials=credentials,
            ready=ready,
            draft=draft,
            redaction=redaction,
            test_set=test_set,
        )
    return 0 if running is None else int(bool(running.health.failures))


def _trusted_header(
    header: str | None, proxies: tuple[str, ...], people: Path | None
) -> "TrustedHeader | None":
    """Return the header to trust, if one is given."""
    if header is None:
        if proxies or people:
            raise BadOption(
                "--from and --people are for --trust-header: name the header, such as X-Forwarded-User."
            )
        return None
    from ragstone.dashboard.security.people import PeopleFile, default_people  # noqa: PLC0415
    from ragstone.dashboard.security.trusted_header import TrustedHeader, check_header, read_proxies  # noqa: PLC0415

    if not proxies:
        raise BadOption(
            f"--trust-header {header} needs --from: name the address of the proxy, such as 127.0.0.1."
        )
    return TrustedHeader(check_header(header), read_proxies(proxies), PeopleFile(people or default_people()))


def _trust_notice(trusted: "TrustedHeader") -> str:
    proxies = ", ".join(map(str, trusted.proxies))
    notice = f"People are named by {trusted.header} from {proxies}; their roles are in {trusted.people.path}."
    if any(network.is_loopback for network in trusted.proxies):
        notice += " Every program of this machine with this address can name anybody."
    return notice
