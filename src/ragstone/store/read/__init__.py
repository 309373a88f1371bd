"""Reading runs: lists, cases, figures, changes, progress."""
