"""Embedded models: llama.cpp in this process, with Qwen2.5-Coder and an adapter, or any GGUF file."""
