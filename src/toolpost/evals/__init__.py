"""Evaluate how well a model calls tools: sets of cases, a judge, results, and a report."""
