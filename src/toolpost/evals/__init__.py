"""How well a model calls tools: sets of cases, a judge, results that a later start goes on with, and a report."""
