"""Find git repositories, and read their settings and their index."""
