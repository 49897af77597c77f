"""What the search tools share: ripgrep, globs, and symbols by tree-sitter."""
