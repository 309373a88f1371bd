import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import DatabaseError
from tests.dashboard.runs import keep

from ragstone.errors import BadOption, NotInStore, StoreError, UsageError
from ragstone.store import open_store
from ragstone.store.read.audit_log import Actor, AuditEntry, AuditQuery
from ragstone.store.schema.tables import AUDIT_LOG

ANN = Actor("person", "ann", "owner", "10.0.0.7")


def test_rows_of_the_audit_log_are_only_added(store_url: str) -> None:
    store = open_store(store_url)
    store.audit_log.add(AuditEntry(ANN, "label", "run-1"), AuditEntry(ANN, "baseline", "run-1", "main\x00"))
    replaced = (
        insert(AUDIT_LOG)
        .prefix_with("OR REPLACE", dialect="sqlite")
        .from_select(AUDIT_LOG.c.keys(), select(AUDIT_LOG))
    )
    changes = [update(AUDIT_LOG).values(name="bob"), delete(AUDIT_LOG)]
    changes += [replaced] if store._engine.dialect.name == "sqlite" else []
    for change in changes:
        with (
            pytest.raises((DatabaseError, StoreError), match="only added"),
            store._engine.begin() as connection,
        ):
            connection.execute(change)
    page = store.audit_log.page(AuditQuery(name="ann", limit=1))
    assert page.count == 2
    assert [(line.actor, line.action, line.subject, line.detail) for line in page.lines] == [
        (ANN, "baseline", "run-1", "main�")
    ]
    assert store.audit_log.page(AuditQuery(action="delete")).count == 0
    store.close()


def test_deleted_run_leaves_its_line_in_the_same_transaction(store_url: str) -> None:
    store = open_store(store_url)
    stored = keep(store)
    bad = AuditEntry(ANN._replace(role=None), "delete", stored.run.id)  # type: ignore[arg-type]
    with pytest.raises(DatabaseError):
        store.delete(stored, bad)
    assert store.find(stored.run.id) == stored
    store.delete(stored, AuditEntry(ANN, "delete", stored.run.id))
    assert store.runs() == []
    assert [line.subject for line in store.audit_log.page().lines] == [stored.run.id]
    store.close()


def test_token_is_found_by_its_secret_until_it_expires_or_is_revoked(store_url: str) -> None:
    store = open_store(store_url)
    made, revoked = AuditEntry(ANN, "make_token", "ci"), AuditEntry(ANN, "revoke_token", "ci")
    secret = store.tokens.make("ci", "sender", made, days=30)
    found = store.tokens.find(secret)
    assert found is not None
    assert (found.name, found.role, found.state, found.created_by) == ("ci", "sender", "valid", "ann")
    assert found._replace(expires=found.created).state == "expired"
    assert store.tokens.find(f"{secret[:-1]}{'A' if secret[-1] != 'A' else 'B'}") is None
    with store._engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert secret not in str(rows)
    assert store.tokens.revoke("ci", revoked)
    assert not store.tokens.revoke("ci", revoked)
    assert [token.state for token in store.tokens.all()] == ["revoked"]
    again = store.tokens.find(secret)
    assert again is not None
    assert (again.state, again.revoked_by) == ("revoked", "ann")
    with pytest.raises(UsageError, match="names are not used twice"):
        store.tokens.make("ci", "sender", made)
    with pytest.raises(NotInStore, match="no token named 'other'"):
        store.tokens.revoke("other", revoked)
    for name, role, days in (("a b", "sender", None), ("x", "admin", None), ("x", "reader", 0)):
        with pytest.raises(BadOption):
            store.tokens.make(name, role, made, days)  # type: ignore[arg-type]
    assert [line.action for line in store.audit_log.page().lines] == ["revoke_token", "make_token"]
    store.close()
