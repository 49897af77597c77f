"""What all commands share: sessions opened from arguments, text for a terminal, questions, errors."""
