"""Sessions, the loop of a run, and the calls of tools."""
