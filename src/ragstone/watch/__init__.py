"""Judge received traces: all of them by one judge, a designed sample by a more expensive one, and raise alarms.

    queue ─▶ complete trace ─▶ test case ─▶ judges ─▶ runs, figures, alarms

`plan` reads `watch.toml`, `draw` selects the sample, `alarms` keeps the alarms, `worker` judges the traces, and
`window` computes the figures of a time window.
"""
