"""The gateway: any model and this folder's tools behind the APIs of Anthropic and OpenAI."""
