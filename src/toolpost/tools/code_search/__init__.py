"""Search code: ripgrep, globs, and symbols by tree-sitter."""
