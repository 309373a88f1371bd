"""The renderers of a document: terminal, Markdown, HTML; JSON is made from the values themselves."""
