"""What the statistics of a watch promise, by simulation."""
