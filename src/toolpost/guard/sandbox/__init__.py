"""Run commands in a sandbox: bubblewrap or Landlock."""
