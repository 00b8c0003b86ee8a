"""The command bench: how fast the program is."""

from typing import Annotated

import typer

from ludus.bench import MEASUREMENTS
from ludus.cli.common import app, fail


@app.command()
def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help=f"The figures to measure: {', '.join(MEASUREMENTS)}. Default: all."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Measure the speed of the program.

    Each figure is measured beside its reference in the same run, where there is one.
    """
    import json as encoder

    from ludus import bench as benchmarks

    names = names or list(benchmarks.MEASUREMENTS)
    for name in names:
        if name not in benchmarks.MEASUREMENTS:
            fail(f"there is no figure {name!r}; there are {', '.join(benchmarks.MEASUREMENTS)}")
    report = {}
    for figure in benchmarks.measurements(names):
        reference = None if figure.reference is None else {"name": figure.against, "value": figure.reference}
        report[figure.name] = {
            "value": figure.value,
            "unit": figure.unit,
            "reference": reference,
            "ratio": figure.ratio,
        }
        if not json:
            beside = "" if figure.ratio is None else f"{figure.ratio:10,.1f} x {figure.against}"
            value = f"{figure.value:,.{0 if figure.value >= 100 else 2}f}"
            print(f"{figure.name:<40} {value:>16} {figure.unit:<10} {beside}".rstrip(), flush=True)
    if json:
        print(encoder.dumps(report, indent=2))
