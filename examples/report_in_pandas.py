"""The groups of the JSON report as a pandas table: time by kind of kernel. Without pandas the same sums in plain
Python.

    python3 report_in_pandas.py MODEL TARGET
"""

import collections
import sys

import onnx_hwest

try:
    import pandas
except ImportError:
    pandas = None

COLUMNS = ["time_s", "macs", "energy_j"]


def with_pandas(groups):
    frame = pandas.json_normalize(groups)  # energy_parts_j.dram and the like become columns
    table = frame.groupby("pattern")[COLUMNS].sum().sort_values("time_s", ascending=False)
    return [(pattern, *row) for pattern, row in zip(table.index, table.itertuples(index=False))]


def without_pandas(groups):
    sums = collections.defaultdict(lambda: [0.0] * len(COLUMNS))
    for group in groups:
        sums[group["pattern"]] = [total + (group[column] or 0)
                                  for total, column in zip(sums[group["pattern"]], COLUMNS)]
    return sorted(((pattern, *row) for pattern, row in sums.items()), key=lambda row: -row[1])


def main(path, target):
    with onnx_hwest.load(path) as model:
        groups = model.analyze(target).to_dict()["groups"]
    if pandas is None:
        print("pandas is not installed (pip install pandas): the sums are made without it", file=sys.stderr)
    print(f"{'kernel':<16} {'time us':>10} {'MMACs':>10} {'mJ':>8}")
    for pattern, time_s, macs, energy_j in (without_pandas if pandas is None else with_pandas)(groups):
        print(f"{pattern:<16} {time_s * 1e6:10.1f} {macs / 1e6:10.1f} {energy_j * 1e3:8.3f}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: report_in_pandas.py MODEL TARGET")
    try:
        sys.exit(main(*sys.argv[1:]))
    except onnx_hwest.Error as error:
        sys.exit(f"report_in_pandas: {error}")
