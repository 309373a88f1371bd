"""Text analysis of the embedded judge: tokens, stems, lexicon, word vectors."""
