"""What a model wrote to call a tool, made fit for it: its name, its arguments, their schema. Knows no tool, no wire."""
