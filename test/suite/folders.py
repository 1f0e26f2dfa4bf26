"""The folders of real exports that a suite walks, with commas between; of two models of one name, the first counts.

A folder holds *.onnx, index.csv (one row a model) and shapes/*.json (dims and dtypes of every value of a real run).
"""

import csv
import os

SKIPPED = 77


class Folders:
    def __init__(self, text):
        self.text, self.folders = text, text.split(",")

    def lack(self):
        """Says which folder is not there; then nothing is checked, rather than a part. None = all are."""
        for folder in self.folders:
            if not os.path.exists(os.path.join(folder, "index.csv")):
                return f"DID NOT RUN: {folder} with index.csv is not there; nothing was checked"
        return None

    def rows(self, only=""):
        """Rows of index.csv of models whose name holds `only`, by name."""
        found = {}
        for folder in self.folders:
            with open(os.path.join(folder, "index.csv"), encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    found.setdefault(row["model"], row)
        return [found[name] for name in sorted(found) if only in name]

    def path(self, model):
        """The path of a model's file, there or not."""
        return self._first(model + ".onnx")

    def shapes(self, model):
        return self._first(os.path.join("shapes", model + ".json"))

    def _first(self, name):
        paths = [os.path.join(folder, name) for folder in self.folders]
        return next(filter(os.path.exists, paths), paths[0])


def sampled(jobs, every):
    """Every Nth job, the same each time."""
    return jobs[::max(1, every)]
