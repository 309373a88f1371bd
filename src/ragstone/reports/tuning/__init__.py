"""What tuning a judge has shown."""
