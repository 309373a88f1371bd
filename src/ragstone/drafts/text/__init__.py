"""Text analysis for drafting: content words, names, and the language of a text."""
