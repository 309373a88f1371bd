"""Wire formats that several vendors share, and the negotiation of parameters a server does not support."""
