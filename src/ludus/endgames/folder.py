"""Where endgame tables are: the folder of a user, and those that come with the package."""

import os
import sys
from pathlib import Path

from ludus.endgames.files import Kind

VARIABLE = "LUDUS_ENDGAMES"  # of the environment: the folder, instead of the platform's
SHIPPED = Path(__file__).parent / "shipped"
MOST_PIECES = 6  # that tables are built for
MOST_WITH_DISTANCES = 5


def default_folder() -> Path:
    """The folder of tables when none is named: $LUDUS_ENDGAMES, else one in the platform's folder for data.

    Examples:
        >>> default_folder().name
        'endgames'
    """
    if named := os.environ.get(VARIABLE):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ludus" / "endgames"
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "ludus" / "endgames"


def find(kind: Kind, pieces: int, folder: Path | None = None) -> Path | None:
    """The file of a table: in the folder, else in the package; None if it is in neither."""
    for place in (folder or default_folder(), SHIPPED):
        path = place / kind.file_name(pieces)
        if path.exists():
            return path
    return None


def most_pieces(folder: Path | None = None) -> int:
    """The number of pieces up to which all tables of results are there; 0 if there are none."""
    pieces = 1
    while pieces < MOST_PIECES and find(Kind.RESULTS, pieces + 1, folder):
        pieces += 1
    return pieces if pieces > 1 else 0
