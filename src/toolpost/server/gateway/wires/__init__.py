"""The wires that clients speak: each has readers of requests and writers of answers, without any I/O."""
