"""From facts to questions: a file of this folder for each way in which a question is made."""
