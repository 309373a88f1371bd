"""Other tools, each in an environment of its own, and what they say where we say something else."""
