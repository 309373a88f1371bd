"""Evaluation of recorded judges: published answers, parsed and measured by ragstone's own functions.

No key and no model is needed: the answers were recorded by others; only parsing and counting are
done here. Run `python -m benchmarks.replays DIRECTORY` with the folder of human-labelled data, which is not part
of the project.
"""
