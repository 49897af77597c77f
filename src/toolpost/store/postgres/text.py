"""Texts as PostgreSQL can keep and compare them."""


def without_nul(text: str) -> str:
    """PostgreSQL has no NUL in texts. Titles and folders are looked for in this form; their JSON has them as given."""
    return text.replace("\x00", "\u2400")
