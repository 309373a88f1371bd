"""What every prompt is made of: the base class, the answer and its schema, the fence, the parser."""
