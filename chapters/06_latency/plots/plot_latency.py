#!/usr/bin/python3
"""Draws a pointer chase: cycles of a load against the size of the working set, runs and recorded measurements on the same axes.

    build/bin/lanescope run build/chapters/06_latency/pointer_chase --csv > ca.csv
    build/bin/lanescope run build/chapters/06_latency/pointer_chase --op cg --csv > cg.csv
    chapters/06_latency/plots/plot_latency.py chase.svg ca.csv cg.csv chapters/06_latency/recorded/h200_chase.csv

The ending of the first argument chooses the format (svg, png, pdf). The others are files that pointer_chase printed with --csv;
lines that begin with # are comments. Each GPU, kind (measured, modelled), space and operator is a curve, with --stride (default
128) bytes from element to element. Measured curves are points, modelled ones lines. Needs matplotlib (Debian: python3-matplotlib, for /usr/bin/python3).
"""
import argparse
import csv
import os
import sys

COLUMNS = ["gpu", "kind", "space", "op", "order", "stride_bytes", "kb", "loads", "cycles_per_load", "sm_mhz"]


def fail(problem, next_step):
    print(f"plot_latency.py: {problem}\n  next: {next_step}", file=sys.stderr)
    sys.exit(2)


def read_curves(paths, stride):
    """(gpu, kind, space, op) -> [(kb, cycles)], sorted by size."""
    curves = {}
    for path in paths:
        try:
            with open(path, newline="", encoding="utf-8") as file:
                numbered = [(n, line) for n, line in enumerate(file, 1) if not line.startswith("#")]
        except OSError as error:
            fail(f"{path} cannot be read: {error.strerror}", "pointer_chase --csv > " + path)
        rows = list(csv.reader(line for _, line in numbered))
        if not rows or rows[0] != COLUMNS:
            fail(f"{path} is not what pointer_chase --csv prints: its first line must be {','.join(COLUMNS)}",
                 "pointer_chase --csv > " + path)
        for (number, _), cells in zip(numbered[1:], rows[1:]):
            row = dict(zip(COLUMNS, cells))
            try:
                if int(row["stride_bytes"]) != stride:
                    continue
                point = float(row["kb"]), float(row["cycles_per_load"])
            except (KeyError, ValueError):
                fail(f"{path}:{number}: a size or a number of cycles is no number", "pointer_chase --csv > " + path)
            curves.setdefault((row["gpu"], row["kind"], row["space"], row["op"]), []).append(point)
    return {key: sorted(points) for key, points in curves.items()}


def draw(curves, output):
    try:
        import matplotlib
    except ImportError:
        fail("matplotlib is not installed", f"sudo apt-get install python3-matplotlib, or run {sys.argv[0]} with a python3 that has it")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "lanescope"   # the same file for the same data
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(figsize=(8, 4.5))
    colours = {"ca": "tab:blue", "cg": "tab:orange", "-": "tab:green"}
    for (gpu, kind, space, op), points in sorted(curves.items()):
        name = f"{gpu}, ld.global.{op}, {kind}" if space == "global" else f"{gpu}, shared, {kind}"
        style = {"marker": "o", "markersize": 4, "linestyle": "none"} if kind == "measured" else {"linewidth": 1.5}
        axes.plot([kb for kb, _ in points], [cycles for _, cycles in points], label=name, color=colours.get(op), **style)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda kb, _: f"{kb / 1024:g} MB" if kb >= 1024 else f"{kb:g} KB")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("working set")
    axes.set_ylabel("SM cycles per load")
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    metadata = {"Date": None} if output.endswith(".svg") else None
    try:
        figure.savefig(output, metadata=metadata, dpi=120)
    except (OSError, ValueError) as error:
        fail(f"{output} cannot be written: {error}", "name a file that ends in .svg or .png, in a folder that exists")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="file to draw to: .svg, .png or .pdf")
    parser.add_argument("csv", nargs="+", help="what pointer_chase --csv printed")
    parser.add_argument("--stride", type=int, default=128, help="draw lines with this stride in bytes (default 128)")
    arguments = parser.parse_args()
    if os.path.splitext(arguments.output)[1] not in (".svg", ".png", ".pdf"):
        fail(f"{arguments.output} does not end in .svg, .png or .pdf", "plot_latency.py chase.svg ca.csv")
    curves = read_curves(arguments.csv, arguments.stride)
    if not curves:
        fail(f"no line has a stride of {arguments.stride} bytes", "pointer_chase --stride N --csv, or another --stride here")
    draw(curves, arguments.output)


if __name__ == "__main__":
    main()
