"""From a row, as it was found, to test cases."""
