"""What people read: one document for each subject, and the renderers for terminal, Markdown and HTML."""
