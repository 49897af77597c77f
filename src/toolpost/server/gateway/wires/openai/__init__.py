"""What both OpenAI wires share: errors, tools, and reading fields and messages."""
