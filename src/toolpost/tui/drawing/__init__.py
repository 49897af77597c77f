"""Draw items of a transcript as lines of a terminal: cells and styles, without any widget."""
