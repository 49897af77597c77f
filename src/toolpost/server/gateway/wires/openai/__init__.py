"""What both OpenAI wires share: errors, model lists, tools, messages."""
