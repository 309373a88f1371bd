"""What is known of all passages together: near copies, topics, and which passages are near a question."""
