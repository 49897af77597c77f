"""Write a number with its noun: `1 line`, `2 lines`."""


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
