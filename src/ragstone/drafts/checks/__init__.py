"""The checks of a candidate; each outcome has a verdict and its judge. `?` means that the check could not be run."""
