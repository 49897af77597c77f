"""Permission rules: which permission, which pattern, allow, ask or deny. Of those that match, the last decides."""
