#!/usr/bin/python3
"""Draws copies between host and device: bandwidth against size, runs and recorded measurements on the same axes.

    build/bin/lanescope run build/chapters/02_host_memory/pinned_transfer --csv > transfers.csv
    chapters/02_host_memory/plots/plot_transfers.py transfers.svg transfers.csv chapters/02_host_memory/recorded/h200_transfers.csv

The ending of the first argument chooses the format (svg, png, pdf). The others are files that pinned_transfer printed with --csv. Each
file's directions and kinds of memory are curves: points if measured, lines if modelled. A comment `# GPU: name` in a file says whose
times they are; without one the file's name stands there. Needs matplotlib (Debian: python3-matplotlib, for /usr/bin/python3).
"""
import pathlib
import sys

sys.dont_write_bytecode = True   # nothing is left in the source tree
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "common/tutorial/plots"))
from csv_plot import curves_of, draw, parser, read_rows

COMMAND = "pinned_transfer --csv"
COLUMNS = ["bytes", "direction", "memory", "milliseconds", "gb_per_second", "source"]
# Both directions of pinned copies are about equally fast.
WAYS = {"pinned to_device": ("pinned, to the device", "tab:blue", 4),
        "pinned from_device": ("pinned, from the device", "tab:cyan", 1.5),
        "pageable to_device": ("pageable, to the device", "tab:red", 1.5),
        "pageable from_device": ("pageable, from the device", "tab:orange", 1.5)}


def main():
    arguments = parser(__doc__, COMMAND).parse_args()
    rows = read_rows(arguments.csv, COMMAND, COLUMNS, numbers=["bytes", "gb_per_second"])
    curves = curves_of(rows, WAYS, key=lambda row: f"{row['memory']} {row['direction']}",
                       point=lambda row: (row["bytes"], row["gb_per_second"]))
    draw(arguments.output, curves, x_label="bytes of the copy", y_label="GB/s (1e9 bytes a second)", log_y=True)


if __name__ == "__main__":
    main()
