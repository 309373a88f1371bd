"""What drafting needs to know of words: content words, names, the language of a text."""
