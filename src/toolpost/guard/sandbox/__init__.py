"""The sandbox around commands: bubblewrap or Landlock."""
