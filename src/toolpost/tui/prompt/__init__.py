"""The input of the full-screen chat: edit a prompt, paste, attach images, complete, and go through the history."""
