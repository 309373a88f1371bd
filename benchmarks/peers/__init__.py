"""Other tools, each in an environment of its own, and the differences between their results and ours."""
