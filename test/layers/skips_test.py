#!/usr/bin/env python3
"""Holds that no test passes over its subject in silence: a case whose call failed fails, what ends as skipped says why.

usage: skips_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

PASSED_OVER = re.compile(r"if \(!\*?[\w.>-]+\.ok\(\)\) (?:return|continue);")
ENDS_SKIPPED = re.compile(r"(?:return|exit\(|kSkipped =) ?77\b")
REASON = "DID NOT RUN: "


def problems_in(name, text):
    """Yields what is wrong with a test of that name."""
    if name.endswith("_test.cc"):
        for match in PASSED_OVER.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: passes over a failure: REQUIRE it, or count what ran"
    if ENDS_SKIPPED.search(text) and REASON not in text.replace("DID NOT RUN: %s", REASON):
        yield f"{name}: ends with 77 and does not say '{REASON}' and why"


def check_self():
    wanted = {"a_test.cc": "if (!model.ok()) continue;", "b.py": "return 77", "c.mjs": "const kSkipped = 77;"}
    fine = {"d_test.cc": "REQUIRE(x.ok());", "e.py": "print('DID NOT RUN: no models')\nsys.exit(77)", "f.py": "at 77"}
    return (all(list(problems_in(name, text)) for name, text in wanted.items()) and
            not any(list(problems_in(name, text)) for name, text in fine.items()))


def main():
    root = pathlib.Path(sys.argv[1]) / "test"
    paths = [path for path in sorted(root.rglob("*")) if path.suffix in (".cc", ".py", ".mjs")]
    problems = [problem for path in paths if path.name != "skips_test.py"
                for problem in problems_in(str(path.relative_to(root.parent)), path.read_text(encoding="utf-8"))]
    for problem in problems:
        print(problem)
    print(f"{len(paths)} files, {len(problems)} problems")
    return 1 if problems or len(paths) < 300 or not check_self() else 0


if __name__ == "__main__":
    sys.exit(main())
