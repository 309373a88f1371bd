"""What a passage states that can be asked about, found by rules: a file of this folder for each form of statement."""
