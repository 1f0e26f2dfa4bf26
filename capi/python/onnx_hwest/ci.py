"""python -m onnx_hwest.ci [BUDGET]: what a CI service shows of a budget, in one folder.

    hwest-reports/comment.md         the limits, and what changed since the base branch: a comment or a job summary
    hwest-reports/hwest.sarif        findings, at the line of the program or of the budget
    hwest-reports/junit.xml          the limits as tests; beside it codequality.json and metrics.txt
    hwest-reports/MODEL-TARGET.html  a page to explore for each model of the budget
    hwest-reports/MODEL-TARGET.json  its report, which the next run compares with

--base FOLDER holds such reports of the base branch. The exit code is 0 whatever the verdict: the gate is
`onnx-hwest check`.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
from typing import Any, Dict, List, Optional

from ._compare import check
from ._diff import diff_of
from ._errors import Error
from ._model import load

_FORMATS = {"hwest.sarif": "sarif", "junit.xml": "junit", "codequality.json": "codequality",
            "metrics.txt": "openmetrics"}
_MOST = 60_000  # characters that a comment of GitHub holds, with room for a note


def _name(row: Dict[str, Any]) -> str:
    """A file name that is the same for the same check: "detector-jetson-orin-30W-int8"."""
    model = os.path.splitext(row["model"])[0].lstrip("./")
    parts = [model, row["target"], row["mode"], row["precision"], row["batch"] if row["batch"] != 1 else None,
             *(f"{name}{size}" for name, size in row["dims"].items())]
    return re.sub(r"[^\w.]+", "-", "-".join(str(part) for part in parts if part is not None))


def _compared(name: str, base: Optional[pathlib.Path], analysis: Any) -> str:
    """What changed since the base branch, as Markdown; "" where nothing did."""
    before = base / f"{name}.json" if base else None
    if before is None or not before.is_file():
        return "" if base is None else f"\n{name}: new, the base branch has no report of it.\n"
    changes = diff_of(str(before), analysis, None, {})
    if changes.same:
        return ""
    summary = ", ".join(f"{row.key} {row.share:+.1%}" for row in changes.totals
                        if row.key in ("latency_s", "energy_j", "peak_memory_bytes") and row.share)
    return (f"\n<details><summary>{name}: {summary or 'the nodes differ'} against the base branch</summary>\n\n"
            f"{changes.report('markdown')}\n</details>\n")


def reports(budget: str, output: str, base: Optional[str] = None) -> List[str]:
    """Writes the files; returns what was written. base: a folder of such reports. Raises Error; OSError."""
    folder, before = pathlib.Path(output), pathlib.Path(base) if base and os.path.isdir(base) else None
    folder.mkdir(parents=True, exist_ok=True)
    found = check(budget=budget)
    texts = {name: found.report(form) for name, form in _FORMATS.items()}  # type: ignore[arg-type]
    comment = found.report("markdown")
    for row in json.loads(found.report("json"))["checks"]:
        name = _name(row)
        try:
            model = os.path.join(os.path.dirname(budget), row["model"])
            analysis = load(model).analyze(row["target"], mode=row["mode"], precision=row["precision"],
                                           batch=row["batch"], dims=row["dims"])
            pages = {f"{name}.json": str(analysis.report("json")), f"{name}.html": str(analysis.report("html"))}
            texts.update(pages)
            comment += _compared(name, before, analysis)
        except Error as error:
            comment += f"\n{name}: no page, {error.message}\n"
    if len(comment) > _MOST:
        comment = comment[:_MOST].rsplit("\n", 1)[0] + "\n\nThe rest is cut off: the reports have it.\n"
    texts["comment.md"] = comment
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return sorted(texts)


def main(args: Optional[List[str]] = None) -> int:
    about = (__doc__ or "").split("\n", 1)
    parser = argparse.ArgumentParser(prog="python -m onnx_hwest.ci", description=about[0].split(": ", 1)[1],
                                     epilog=about[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("budget", nargs="?", default="hwest.budget", help="the file of limits: hwest.budget")
    parser.add_argument("--base", metavar="FOLDER", help="reports of the base branch; none where it does not exist")
    parser.add_argument("--output", default="hwest-reports", metavar="FOLDER", help="where to write: hwest-reports")
    given = parser.parse_args(args)
    try:
        for name in reports(given.budget, given.output, given.base):
            print(os.path.join(given.output, name))
    except (Error, OSError) as error:
        print(f"onnx_hwest.ci: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
