"""The arena: matches between players, their scores with intervals, ratings and ladders."""
