"""The AI SDK's UI message stream: events in, frames out; and the history as UI messages."""
