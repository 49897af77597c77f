"""The gateway: models and tools behind the wires of Anthropic and OpenAI."""
