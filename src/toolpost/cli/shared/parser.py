"""The parser of arguments, whose errors show what was really given: no character in them hides or turns a line."""

from argparse import ArgumentParser
from typing import NoReturn

from .escape_codes import exact


class Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(exact(message))
