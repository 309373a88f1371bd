"""Worker processes that answer prompts for the embedded judge, so that a run uses all cores."""
