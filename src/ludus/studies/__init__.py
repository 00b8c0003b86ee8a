"""Studies: the tables of the papers, each beside a run of our own that fills it."""
