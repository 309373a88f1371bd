"""Judge what was received: every trace by one judge, a designed sample by a dearer one, and raise alarms.

    queue ─▶ complete trace ─▶ test case ─▶ judges ─▶ runs, figures, alarms

`plan` reads `watch.toml`, `draw` decides who is drawn, `alarms` keeps the alarms, `worker` does the work, `window`
tells what a stretch of time was like.
"""
