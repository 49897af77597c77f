"""One adapter a framework: `start(base_url)`, then `run(prompt, max_steps)`, which gives the chunks that arrived."""
