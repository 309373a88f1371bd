"""Text analysis of the embedded judge: tokens, stems, numbers, clauses, languages, lexicon."""
