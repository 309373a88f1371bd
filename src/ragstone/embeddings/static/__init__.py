"""The static word vectors in the package: a table with one row for each word piece, and the tokeniser of the pieces."""
