"""A ladder as people read it: a text table, a picture, and a page of its own with both."""

from html import escape

from ludus.arena.tournament import Ladder

_ROW = 26  # pixels a player takes in the picture
_LEFT, _WIDTH = 190, 520


def text(ladder: Ladder) -> str:
    """Ratings and the cross table, in plain columns."""
    width = max(map(len, ladder.names))
    columns = f"{'Elo':>6}  {'95% interval':>16}  {'games':>6}  {'score':>6}  against 1, 2, ... in %"
    lines = [f"{'':>2}  {'player':<{width}}  {columns}"]
    for rank, rating in enumerate(ladder.ratings, 1):
        cells = " ".join(f"{_percent(ladder, rating.name, other):>4}" for other in ladder.names)
        interval = f"[{rating.interval.low:+.0f}, {rating.interval.high:+.0f}]"
        lines.append(
            f"{rank:>2}  {rating.name:<{width}}  {rating.elo:>+6.0f}  {interval:>16}  {rating.games:>6}  "
            f"{100 * rating.points / rating.games:>5.1f}%  {cells}"
        )
    return "\n".join(lines)


def picture(ladder: Ladder) -> str:
    """The ratings with their intervals as an SVG picture that works on light and on dark pages."""
    low = min(rating.interval.low for rating in ladder.ratings)
    high = max(rating.interval.high for rating in ladder.ratings)
    step = next(step for step in (50, 100, 200, 250, 500, 1000, 2000, 5000) if (high - low) / step <= 8)
    low, high = step * (low // step), step * -(-high // step)

    def x(elo: float) -> float:
        return _LEFT + _WIDTH * (elo - low) / (high - low)

    height = _ROW * len(ladder.names) + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 70} {height}" '
        f'font-family="sans-serif" font-size="13" role="img" aria-label="Ratings with 95% intervals">'
    ]
    for elo in range(int(low), int(high) + 1, step):
        parts.append(
            f'<line x1="{x(elo):.1f}" x2="{x(elo):.1f}" y1="10" y2="{height - 30}" stroke="#8884"/>'
            f'<text x="{x(elo):.1f}" y="{height - 12}" text-anchor="middle" fill="#777">{elo:+d}</text>'
        )
    for row, rating in enumerate(ladder.ratings):
        y = 25 + _ROW * row
        parts.append(
            f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end" fill="#777">{escape(rating.name)}</text>'
            f'<line x1="{x(rating.interval.low):.1f}" x2="{x(rating.interval.high):.1f}" y1="{y}" y2="{y}" '
            f'stroke="#3b82c4" stroke-width="6" stroke-opacity="0.45" stroke-linecap="round"/>'
            f'<circle cx="{x(rating.elo):.1f}" cy="{y}" r="4.5" fill="#1d5c96"/>'
            f'<text x="{x(rating.interval.high) + 10:.1f}" y="{y + 4}" fill="#777">{rating.elo:+.0f}</text>'
        )
    return "".join([*parts, "</svg>\n"])


def page(ladder: Ladder, command: str) -> str:
    """One file with everything in it, readable on a phone, without outside requests."""
    header = "".join(f"<th>{rank}</th>" for rank in range(1, len(ladder.names) + 1))
    rows = []
    for rank, rating in enumerate(ladder.ratings, 1):
        cells = "".join(f"<td>{_percent(ladder, rating.name, other)}</td>" for other in ladder.names)
        rows.append(
            f"<tr><td>{rank}</td><th>{escape(rating.name)}</th><td>{rating.elo:+.0f}</td>"
            f"<td>{rating.interval.low:+.0f} to {rating.interval.high:+.0f}</td>{cells}</tr>"
        )
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ladder</title>
<style>
  :root {{ color-scheme: light dark }}
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
  table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
  td, th {{ padding: .2rem .6rem; border-bottom: 1px solid #8884; text-align: right }}
  tbody th {{ text-align: left }}
  .wide {{ overflow-x: auto }}
</style>
<h1>Ladder</h1>
<p>Ratings in Elo, with the pool's mean at 0, and their 95% intervals.</p>
{picture(ladder)}
<p>Scores in percent of each player against each.</p>
<div class="wide"><table><thead><tr><th></th><th></th><th>Elo</th><th>95%</th>{header}</tr></thead>
<tbody>{"".join(rows)}</tbody></table></div>
<p>Made by <code>{escape(command)}</code></p>
</html>
"""


def _percent(ladder: Ladder, one: str, other: str) -> str:
    return "-" if one == other else f"{100 * ladder.score(one, other).score:.0f}"
