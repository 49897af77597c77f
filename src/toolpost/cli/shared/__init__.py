"""What several commands share: arguments, output, workspaces, sessions, questions, errors."""
