"""The AI SDK's UI message stream and UI messages."""
