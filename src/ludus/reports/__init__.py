"""Reports: a run, a ladder or a study as one HTML page.

run.py, ladder.py, study.py    what a report is made of
td.py, cloning.py, ...         the sections of each kind of learner
page.py, tables.py             the layout of pages and tables
charts.py, boards.py, ...      the pictures
colours.py                     all colours
"""

from ludus.reports.run import write
from ludus.reports.study import check_page, fill_page, write_study

__all__ = ["check_page", "fill_page", "write", "write_study"]
