"""Analysis of texts: sentences, tokens, stems, numbers, clauses, languages, lists of words."""
