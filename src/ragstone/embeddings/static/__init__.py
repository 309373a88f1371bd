"""The static word vectors in the package: a table, and the pieces of words that its rows are for."""
