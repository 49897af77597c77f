"""Schedules: prompts that are run at times that a person chose. What is stored of them, and when they are due."""
