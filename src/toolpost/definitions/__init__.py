"""Agents, commands and skills that people write as Markdown files, in Toolpost's folders and in other tools'."""
