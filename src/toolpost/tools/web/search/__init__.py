"""Search the web with one of several engines, one file each; `search.py` chooses among them."""
