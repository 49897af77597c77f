"""Decide what is allowed, and enforce it: rules, paths, shell commands, sandbox, secrets, trust."""
