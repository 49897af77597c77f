"""Models that run inside this process, on llama.cpp: SmolLM2, and any GGUF file that was pulled."""
