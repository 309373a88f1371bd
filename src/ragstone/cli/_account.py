"""The account that gives a command, for the audit log."""

from getpass import getuser

from ragstone.store.read.audit_log import Actor, AuditEntry


def command_entry(action: str, subject: str, detail: str = "") -> AuditEntry:
    """Return a line of the audit log on a change by a command."""
    try:
        name = getuser()
    except (OSError, KeyError):  # an account without a name, as in a container
        name = ""
    return AuditEntry(Actor("command", name, "owner"), action, subject, detail)
