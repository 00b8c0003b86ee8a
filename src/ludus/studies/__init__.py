"""Studies: the tables of the papers, each beside a run of our own that fills it.

The module of a study has SCALES, named tuples whose first field is `trials`, and a class Study(scale, seed). That has a
`title`; `trials()`, a list of what is to be done, and the `unit` it is counted in; `store`, which opens the folder in
which it is kept and does what is missing; and `sections`, the tables from what is kept.
"""
