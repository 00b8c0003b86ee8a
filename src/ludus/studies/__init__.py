"""Studies: the result tables of papers, each beside the results of our own runs.

The module of a study has SCALES, named tuples whose first field is `trials`, and a class Study(scale, seed) with

- `title`, which names the paper,
- `steps()`, the list of all that has to be done, each with a `label`, and `unit`, the word in which they are counted,
- `store`, a class that opens the folder of the results and does the missing steps,
- `sections(store)`, the tables and charts of the results so far.
"""


class BadStudy(ValueError):
    """The study's folder belongs to another study or cannot be used; the message says why."""
