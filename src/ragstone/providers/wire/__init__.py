"""What several vendors' wire formats share."""
