"""A store of each kind, as for the tests of the store."""

from tests.store.conftest import postgres_url, store_url  # noqa: F401  (pytest finds fixtures by name in a conftest)
