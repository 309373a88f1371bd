"""A toy RAG with planted faults: does `ragstone explain` find them?"""
