"""A toy RAG with switches: does `ragstone explain` find the fault that was planted?"""
