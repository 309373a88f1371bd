"""Documents into passages: a file of this folder for each format."""
