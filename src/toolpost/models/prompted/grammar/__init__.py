"""Grammars that hold the calls of a prompted model to their form and schema."""
