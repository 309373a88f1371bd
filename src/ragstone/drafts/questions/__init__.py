"""Generation of questions from facts; one module for each method."""
