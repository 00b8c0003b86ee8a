"""The arena: who is better, by how much, and how sure are we."""
