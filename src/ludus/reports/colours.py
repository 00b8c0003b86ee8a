"""The colours of charts, boards and pages: change them here.

A picture also stands alone, outside a page, so its colours must be readable on white and on black. A page adapts its
text to the reader's choice of a light or a dark scheme.
"""

# Charts. The series are Okabe and Ito's colours, which colour-blind readers can tell apart, with a lighter blue and
# without yellow and black, which vanish on one of the backgrounds.
SERIES = ("#1a80c0", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9")
TEXT = "#777"
AXIS = "#888"
GRID = "#8884"

# Boards.
LIGHT_SQUARE = "#efe3c2"
DARK_SQUARE = "#5d8a66"
SQUARE_NUMBER = "#dbe8d6"
BOARD_FRAME = "#6b4a2f"
WHITE_PIECE, WHITE_PIECE_EDGE = "#fbf6e9", "#a8977a"
BLACK_PIECE, BLACK_PIECE_EDGE = "#2f2723", "#100c0a"
CROWN = "#dfa526"
LAST_MOVE = "#ffd84d"
LAST_MOVE_ARROW = "#c8501e"

# Pages: text, quieter text, background; light scheme first, dark scheme second.
PAGE_TEXT = ("#2b2b2b", "#dedede")
PAGE_QUIET_TEXT = ("#606060", "#a8a8a8")
PAGE_BACKGROUND = ("#fff", "#16181b")
PAGE_RULE = "#8884"
