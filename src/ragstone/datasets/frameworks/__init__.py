"""Objects of other frameworks as rows: LangChain, LlamaIndex, Haystack."""
