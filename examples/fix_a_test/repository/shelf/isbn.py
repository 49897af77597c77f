"""Numbers of books: ISBN-10 and ISBN-13, with their check digits."""


def digits(isbn: str) -> str:
    """The number without hyphens and blanks."""
    return isbn.replace("-", "").replace(" ", "").upper()


def check_digit(first_nine: str) -> str:
    """The last digit of an ISBN-10, which is X for ten."""
    total = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), first_nine))
    rest = (11 - total % 11) % 11
    return "X" if rest == 10 else str(rest)


def is_valid(isbn: str) -> bool:
    number = digits(isbn)
    if len(number) == 10:
        return number[:9].isdigit() and check_digit(number[:9]) == number[9]
    if len(number) == 13 and number.isdigit():
        return sum(int(digit) for digit in number) % 10 == 0
    return False
