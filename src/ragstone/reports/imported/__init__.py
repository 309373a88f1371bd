"""Results of other tools, read as reports: promptfoo, DeepEval, Ragas, Inspect, OpenAI Evals, MLflow.

Each tool has a module with `fits(found)`, which tells its files by their content, and `read(found)`. `assemble` makes
the report: what one tool calls C and another 5 of 5 is a score from 0 to 1 there, or is left out with a note.
"""
