"""What a tuned judge is made of, and the file that holds it."""
