"""Convert HTML to Markdown or text, without what a page hides."""
