"""Write a set of words as one text, because a list of eighty strings is hard to read."""


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
