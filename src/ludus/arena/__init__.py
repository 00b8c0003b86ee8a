"""Who is better, by how much, and how sure we are: matches, ladders and their statistics."""
