"""Common parts of all prompts: the base class, the answer and its schema, the fence, the parser."""
