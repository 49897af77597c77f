"""Conversations that the server keeps: who may see them, how they run, and how a chat page is told of them."""
