"""The dialects: every known way to write a tool call as text. `table` names them; the other files parse them."""
