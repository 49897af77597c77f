"""What is allowed, and the wall around it: rules, paths, shell commands, sandbox, secrets, trust."""
