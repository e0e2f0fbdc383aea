#!/usr/bin/python3
"""Draws a kernel on device memory and on mapped host memory: time against size, runs and recorded measurements on the same axes.

    build/bin/lanescope run build/chapters/02_host_memory/zero_copy --csv > zero_copy.csv
    chapters/02_host_memory/plots/plot_zero_copy.py zero_copy.svg zero_copy.csv chapters/02_host_memory/recorded/*_zero_copy.csv

The ending of the first argument chooses the format (svg, png, pdf). The others are files that zero_copy printed with --csv. Each
file's placements of the three arrays are curves: points if measured, lines if modelled. A comment `# GPU: name` in a file says whose
times they are; without one the file's name stands there. Needs matplotlib (Debian: python3-matplotlib, for /usr/bin/python3).
"""
import pathlib
import sys

sys.dont_write_bytecode = True   # nothing is left in the source tree
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "common/tutorial/plots"))
from csv_plot import curves_of, draw, parser, read_rows

COMMAND = "zero_copy --csv"
COLUMNS = ["n", "placement", "milliseconds", "source"]
PLACEMENTS = {"device": ("A, B, C in device memory", "tab:green", 1.5),
              "ab_mapped": ("A, B mapped", "tab:blue", 4),
              "abc_mapped": ("A, B, C mapped", "tab:red", 1.5)}
BYTES_OF_INT = 4


def main():
    arguments = parser(__doc__, COMMAND).parse_args()
    rows = read_rows(arguments.csv, COMMAND, COLUMNS, numbers=["n", "milliseconds"])
    curves = curves_of(rows, PLACEMENTS, key=lambda row: row["placement"],
                       point=lambda row: (row["n"] * BYTES_OF_INT, row["milliseconds"]))
    draw(arguments.output, curves, x_label="bytes of each array", y_label="kernel, ms", log_y=True)


if __name__ == "__main__":
    main()
