"""Grammars that constrain the calls of a prompted model to their form and schema."""
