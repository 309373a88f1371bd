"""What stands in attributes: JSON texts, messages, documents, texts under many names."""
