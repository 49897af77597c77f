"""Models inside this process, on llama.cpp: Qwen2.5-Coder with an adapter, and any GGUF file that was pulled."""
