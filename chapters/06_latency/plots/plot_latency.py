#!/usr/bin/python3
"""Draws a pointer chase: cycles of a load against the size of the working set, runs and recorded measurements on the same axes.

    build/bin/lanescope run build/chapters/06_latency/pointer_chase --csv > ca.csv
    build/bin/lanescope run build/chapters/06_latency/pointer_chase --op cg --csv > cg.csv
    chapters/06_latency/plots/plot_latency.py chase.svg ca.csv cg.csv chapters/06_latency/recorded/h200_chase.csv

The ending of the first argument chooses the format (svg, png, pdf). The others are files that pointer_chase printed with --csv;
lines that begin with # are comments. Each GPU, kind (measured, modelled), space and operator is a curve, with --stride (default
128) bytes from element to element. Measured curves are points, modelled ones lines. Needs matplotlib (Debian: python3-matplotlib, for /usr/bin/python3).
"""
import pathlib
import sys

sys.dont_write_bytecode = True   # nothing is left in the source tree
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "common/tutorial/plots"))
from csv_plot import curves_of, draw, fail, parser, read_rows

COMMAND = "pointer_chase --csv"
COLUMNS = ["gpu", "kind", "space", "op", "order", "stride_bytes", "kb", "loads", "cycles_per_load", "sm_mhz"]
LOADS = {"global ca": ("ld.global.ca", "tab:blue", 1.5), "global cg": ("ld.global.cg", "tab:orange", 1.5), "shared -": ("shared", "tab:green", 1.5)}


def main():
    options = parser(__doc__, COMMAND)
    options.add_argument("--stride", type=int, default=128, help="draw lines with this stride in bytes (default 128)")
    arguments = options.parse_args()
    rows = read_rows(arguments.csv, COMMAND, COLUMNS, numbers=["stride_bytes", "kb", "cycles_per_load"])
    rows = [row for row in rows if row["stride_bytes"] == arguments.stride]
    if not rows:
        fail(f"no line has a stride of {arguments.stride} bytes", "pointer_chase --stride N --csv, or another --stride here")
    curves = curves_of(rows, LOADS, key=lambda row: f"{row['space']} {row['op']}", gpu="gpu", kind="kind",
                       point=lambda row: (row["kb"] * 1024, row["cycles_per_load"]))
    draw(arguments.output, curves, x_label="working set", y_label="SM cycles per load", log_y=False)


if __name__ == "__main__":
    main()
