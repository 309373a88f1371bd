"""Files of results of other tools: promptfoo, DeepEval, Inspect, OpenAI Evals, MLflow.

Each tool has a module with `fits(found)`, which recognises its files by their content, and `read(found)`, which returns
its rows: the fields of a test case, and the scores. `content` tries them in turn. A dataset is made from the fields,
a report from both (`ragstone.findings.imported`), so that every command reads the same files in the same way.
"""
