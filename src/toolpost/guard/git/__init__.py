"""Find git repositories, read their settings and index."""
