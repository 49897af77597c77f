"""The OpenAI Chat Completions wire, and the many servers that speak it."""
