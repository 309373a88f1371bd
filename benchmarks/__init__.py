"""Measurements of ragstone itself: what it reaches, beside what others reached."""
