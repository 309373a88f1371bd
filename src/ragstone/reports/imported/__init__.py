"""Results of other tools, read as reports: promptfoo, DeepEval, Ragas, Inspect, OpenAI Evals, MLflow.

Each tool has a module with `fits(found)`, which recognises its files by their content, and `read(found)`. `assemble`
makes the report: in it, grades such as C or 5 of 5 are scores from 0 to 1, or are left out with a note.
"""
