"""The chat: sessions of users, their runs, and the AI SDK's stream for chat pages."""
