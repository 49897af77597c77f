"""Download, check and store the weights of embedded models."""
