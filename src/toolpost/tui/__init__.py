"""The full-screen terminal chat, on Textual. Only `toolpost chat` and `toolpost attach` load it."""
