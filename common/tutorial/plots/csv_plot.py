"""What the chapters' plots share: curves by size from the CSV of a program, modelled and measured ones on the same axes.

    from csv_plot import curves_of, draw, parser, read_rows

    arguments = parser(__doc__, "my_program --csv").parse_args()
    rows = read_rows(arguments.csv, "my_program --csv", ["bytes", "memory", "ms", "source"], numbers=["bytes", "ms"])
    curves = curves_of(rows, {"pinned": ("pinned memory", "tab:blue", 1.5)}, key=lambda row: row["memory"],
                       point=lambda row: (row["bytes"], row["ms"]))
    draw(arguments.output, curves, x_label="bytes", y_label="ms", log_y=True)

Measured curves are points, modelled ones lines; another GPU has other points and lines. Needs matplotlib (Debian: python3-matplotlib,
for /usr/bin/python3). What is wrong ends the script with one error, a next step, and exit status 2.
"""
import argparse
import math
import os
import sys
from dataclasses import dataclass, field

ENDINGS = (".svg", ".png", ".pdf")


@dataclass
class Curve:
    gpu: str        # whose times these are
    what: str       # what was timed
    kind: str       # "measured" or "modelled"
    colour: str     # the same for the same `what`
    width: float    # of a line; a wide one is still seen below another that lies on it
    points: list = field(default_factory=list)   # (x, y)

    @property
    def name(self):
        return f"{self.gpu}, {self.what}, {self.kind}"


def fail(problem, next_step):
    print(f"{os.path.basename(sys.argv[0])}: {problem}\n  next: {next_step}", file=sys.stderr)
    sys.exit(2)


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message, f"{self.prog} --help")


def _picture(path):
    if os.path.splitext(path)[1] not in ENDINGS:
        raise argparse.ArgumentTypeError(f"{path} does not end in .svg, .png or .pdf")
    return path


def parser(about, command):
    """The arguments of every plot: the file to draw, and the files that `command` printed."""
    it = _Parser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    it.add_argument("output", type=_picture, help="file to draw to: .svg, .png or .pdf")
    it.add_argument("csv", nargs="+", help=f"what {command} printed")
    return it


def _number(text):
    value = float(text)
    if not math.isfinite(value) or value <= 0:   # no logarithm
        raise ValueError
    return value


def _gpu_name(path, comments):
    """What a comment `# GPU: name (remark)` says, else the file's name without its ending."""
    for comment in comments:
        if comment.startswith("# GPU: "):
            return comment[len("# GPU: "):].split(" (")[0].strip()
    return os.path.splitext(os.path.basename(path))[0]


def read_rows(paths, command, columns, numbers):
    """The rows of all files: cells by their column's name, "GPU" from the comments (lines that begin with #), and "where" for errors.

    `numbers` are columns whose cells are positive numbers, and become float. `command` is what printed the files.
    """
    rows = []
    for path in paths:
        again = f"{command} > {path}"
        try:
            with open(path, newline="", encoding="utf-8") as file:
                lines = file.read().splitlines()
        except OSError as error:
            fail(f"{path} cannot be read: {error.strerror}", again)
        except UnicodeDecodeError:
            fail(f"{path} is no text", again)
        gpu = _gpu_name(path, [line for line in lines if line.startswith("#")])
        numbered = [(n, line.split(",")) for n, line in enumerate(lines, 1) if line and not line.startswith("#")]
        if not numbered or numbered[0][1] != columns:
            fail(f"{path} is not what {command} prints: its first line must be {','.join(columns)}", again)
        for number, cells in numbered[1:]:
            where = f"{path}:{number}"
            if len(cells) != len(columns):
                fail(f"{where}: {len(cells)} values instead of {len(columns)}", again)
            row = dict(zip(columns, cells), GPU=gpu, where=where)
            for column in numbers:
                try:
                    row[column] = _number(row[column])
                except ValueError:
                    fail(f"{where}: {column} is '{row[column]}', no positive number", again)
            rows.append(row)
    return rows


def curves_of(rows, ways, key, point, gpu="GPU", kind="source"):
    """A curve for each GPU, kind and way, in this order. `ways`: key -> (name, colour, width); `gpu` and `kind` are columns."""
    curves = {}
    for row in rows:
        if row[kind] not in ("measured", "modelled"):
            fail(f"{row['where']}: {kind} is '{row[kind]}', neither measured nor modelled", "the program that printed it says one of them")
        if key(row) not in ways:
            fail(f"{row['where']}: '{key(row)}' is none of {', '.join(map(str, ways))}", "take it out")
        what, colour, width = ways[key(row)]
        place = row[gpu], row[kind], list(ways).index(key(row))
        curves.setdefault(place, Curve(row[gpu], what, row[kind], colour, width)).points.append(point(row))
    return [curve for _, curve in sorted(curves.items(), key=lambda item: item[0])]


def size_name(number_of_bytes):
    for unit, name in (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"):
        if number_of_bytes >= unit:
            return f"{number_of_bytes / unit:g} {name}"
    return f"{number_of_bytes:g} B"


def _description(curves):
    """The numbers behind the picture, for readers of the file and for tests."""
    return "\n".join(f"{curve.name}: " + " ".join(f"{x:.0f}:{y:g}" for x, y in sorted(curve.points)) for curve in curves)


def draw(output, curves, x_label, y_label, log_y):
    """x is in bytes. `curves` stand in the legend in their order."""
    if not curves:
        fail("the files hold no line to draw", "give one that has more than its head")
    try:
        import matplotlib
    except ImportError:
        fail("matplotlib is not installed", f"sudo apt-get install python3-matplotlib, or run {sys.argv[0]} with a python3 that has it")
    matplotlib.use("Agg")
    matplotlib.rcdefaults()   # not the reader's own settings
    matplotlib.rcParams["svg.hashsalt"] = "lanescope"   # the same file for the same data
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(figsize=(8, 4.5))
    gpus_of = {"measured": [], "modelled": []}
    for curve in curves:
        gpus = gpus_of[curve.kind]
        if curve.gpu not in gpus:
            gpus.append(curve.gpu)
        nth = gpus.index(curve.gpu)
        points = sorted(curve.points)
        if curve.kind == "measured":
            style = {"marker": "osD^v"[nth % 5], "markersize": 2.5 + curve.width, "linestyle": "none"}
        else:
            style = {"linestyle": ["-", "--", ":", "-."][nth % 4], "linewidth": curve.width}
            if len(points) == 1:
                style["marker"] = "_"   # a line through one point is not seen
        axes.plot([x for x, _ in points], [y for _, y in points], label=curve.name, color=curve.colour, **style)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda x, _: size_name(x))
    if log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    metadata = {"Date": None, "Description": _description(curves)} if output.endswith(".svg") else None
    try:
        figure.savefig(output, metadata=metadata, dpi=120)
    except (OSError, ValueError) as error:
        fail(f"{output} cannot be written: {error}", "name a file that ends in .svg or .png, in a folder that exists")
