"""Runs driven by Temporal: the side that submits them, and the worker that drives them."""
