"""Parse shell commands and predict what each would do."""
