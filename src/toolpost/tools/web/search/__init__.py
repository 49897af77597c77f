"""Search the web with several providers behind one contract."""
