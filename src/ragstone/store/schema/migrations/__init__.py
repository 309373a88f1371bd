"""The history of the tables, one file a step."""
