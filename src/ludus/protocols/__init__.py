"""How programs talk about games with each other."""
