"""Language servers: which one there is for a file, how it is run and asked, and what its answers say."""
