"""Who takes many requests at once, for half the price, and answers within a day: one vendor's batches a file."""
