"""Results of other tools as reports: what `ragstone.datasets.results` reads, and tables such as Ragas'.

`assemble` makes the report: in it, grades such as C or 5 of 5 are scores from 0 to 1, or are left out with a note.
"""
