"""Gemini's generateContent wire."""
