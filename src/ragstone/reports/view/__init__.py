"""What a report says, independent of any output format: view models shared by all renderers."""
