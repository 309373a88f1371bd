"""Reports in a terminal: tables, charts and progress, printed with rich."""
