"""How the embedded model learns to call tools: the data, the training, and the measuring. See README.md."""
