import unittest

from shelf.books import Shelf
from shelf.isbn import is_valid


class IsbnTest(unittest.TestCase):
    def test_the_old_numbers(self) -> None:
        self.assertTrue(is_valid("0-306-40615-2"))
        self.assertTrue(is_valid("0-8044-2957-X"))
        self.assertFalse(is_valid("0-306-40615-3"))

    def test_the_new_numbers(self) -> None:
        self.assertTrue(is_valid("978-0-306-40615-7"))
        self.assertFalse(is_valid("978-0-306-40615-8"))

    def test_a_book_is_found_however_its_number_is_written(self) -> None:
        shelf = Shelf()
        shelf.add("978-0-306-40615-7", "Computers and Turning")
        self.assertEqual(shelf.title("9780306406157"), "Computers and Turning")
