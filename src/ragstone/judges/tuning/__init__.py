"""The data of a tuned judge, and the file that holds them."""
