"""The checks of a candidate, each with its verdict and who gave it. `?` means that it could not be run."""
