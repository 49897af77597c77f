"""Read from databases that the configuration names."""
