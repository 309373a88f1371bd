"""ragstone: find out whether RAG and LLM systems tell the truth."""
