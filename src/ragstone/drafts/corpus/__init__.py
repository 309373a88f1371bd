"""Analysis of all passages together: near copies, topics, and search for passages near a question."""
