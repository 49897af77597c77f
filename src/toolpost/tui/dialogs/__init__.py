"""What asks a person: approvals, questions, lists to choose from, diffs, inputs and help."""
