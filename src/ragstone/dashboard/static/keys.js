// Keys: j/k rows, enter opens, / search, esc back; each page adds its own.
