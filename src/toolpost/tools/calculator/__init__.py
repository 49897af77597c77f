"""Calculate exactly: numbers and functions, and the expressions that use them."""
