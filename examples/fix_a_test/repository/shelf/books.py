"""The books on the shelf, by their number."""

from shelf.isbn import digits, is_valid


class Shelf:
    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def add(self, isbn: str, title: str) -> None:
        if not is_valid(isbn):
            raise ValueError(f"{isbn} is not an ISBN")
        self._titles[digits(isbn)] = title

    def title(self, isbn: str) -> str | None:
        return self._titles.get(digits(isbn))
