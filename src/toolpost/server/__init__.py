"""The server: any model and any tool behind the wires that people's programs already speak."""
