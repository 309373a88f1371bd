"""Files of rows: opening, decoding, and the JSON inside."""
