"""Read HTML: as Markdown or text, without what a page hides."""
