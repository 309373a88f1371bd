"""The user's application: asked a question, it returns an answer with the passages that the answer is based on.

An application is a Python function or class, a URL, or a command; each kind is a file here. Only the application that
the user names is called.
"""

from ragstone.applications.application import Application
from ragstone.applications.call import parse_settings, setting_text

__all__ = ["Application", "parse_settings", "setting_text"]
