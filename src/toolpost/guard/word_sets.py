"""Tables of words, written as text because a list of eighty strings is no pleasure to read."""


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
