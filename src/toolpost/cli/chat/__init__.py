"""`toolpost` alone: the chat, line by line."""
