"""The wires that clients speak: for each a reader of requests and a writer of answers, without any input or output."""
