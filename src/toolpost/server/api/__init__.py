"""What programs and faces ask of the server besides a model's answer: one file a resource."""
