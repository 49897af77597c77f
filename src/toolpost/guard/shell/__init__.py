"""Parse shell commands and tell what each would do."""
