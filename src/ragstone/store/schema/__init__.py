"""Schema: tables, connections and migrations."""
