"""How an answer is asked for, read, stored and identified."""
