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
    signature: Annotated[
        bool,
        typer.Option(
            "--signature",
            help="Print the nodes of fixed searches with every kind of player instead: they change only with the "
            "rules, a search or an evaluation.",
        ),
    ] = False,
) -> None:
    """Measure the speed of the program.

    Each figure is measured beside its reference in the same run, where there is one.
    """
    import json as encoder

    from ludus import bench as benchmarks

    if signature:
        if names:
            fail("--signature has no figures to choose from")
        _signature(as_json=json)
        return
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


def _signature(*, as_json: bool) -> None:
    import json

    from ludus import players
    from ludus.bench.signature import signature

    found = {}
    for name, nodes in signature():
        found[name] = nodes
        if not as_json:
            print(f"{name:<40} {nodes:>12}", flush=True)
    if as_json:
        print(json.dumps({"instructions": players.INSTRUCTION_SET, "nodes": found}, indent=2))
    else:
        print(f"{'all, on ' + players.INSTRUCTION_SET:<40} {sum(found.values()):>12}")
