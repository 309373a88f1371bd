"""Recorded judges, judged: published answers, read and measured again by ragstone's own functions.

No key and no model is needed: the answers were recorded by others, and only reading and counting them is
ours. Run `python -m benchmarks.replays DIRECTORY` with the folder of human-labelled data, which is not part
of the project.
"""
