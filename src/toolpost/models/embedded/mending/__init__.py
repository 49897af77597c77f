"""What is put right in the calls that the model wrote: it chooses well, and copies, counts and converts badly."""
