"""A run on several workers: coordinator, workers, the messages between them, and Ray as the transport."""
