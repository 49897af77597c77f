"""What a person sees of a session, made from its events alone: items, their states, what can be done with each.

It neither draws nor asks. The full screen, the inline chat, `toolpost run` and the editor protocol draw from it: they
feed `transcript.TranscriptView` and draw its `items`, with the texts of `words`.
"""
