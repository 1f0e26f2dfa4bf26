#!/usr/bin/env python3
"""One version: what cannot read it from CMakeLists.txt says the same, and nothing is newer.

usage: version_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

SOURCE = "CMakeLists.txt", r"project\(onnx-hwest VERSION (\S+)"
SAME = (  # file, how it says the version: all of it, or major and minor
    ("capi/python/onnx_hwest/_version.py", r'__version__ = "(.+)"'),
    ("cmake/packaging/conda/recipe.yaml", r'version: "(.+)"'),
    ("cmake/packaging/vcpkg/onnx-hwest/vcpkg.json", r'"version": "(.+)"'),
    ("docs/from-code.md", r"find_package\(onnx_hwest (\S+)"),
)
ABI = "capi/hwest.h", r"#define HWEST_ABI_MAJOR (\d+)\n#define HWEST_ABI_MINOR (\d+)"
SINCE = ("capi/*.h", "docs/*.md", "lib/*/tables/*.table", "lib/analysis/request.table", "capi/python/onnx_hwest/*.py")


def numbers_of(version):
    return tuple(int(part) for part in version.split("."))


def problems_in(root):
    """Yields what says another version than CMakeLists.txt."""
    def found(file, pattern):
        match = re.search(pattern, (root / file).read_text(encoding="utf-8"))
        return ".".join(match.groups()) if match else "none"
    version = found(*SOURCE)
    for file, pattern in (*SAME, ABI):
        said = found(file, pattern)
        if said == "none" or numbers_of(said) != numbers_of(version)[:said.count(".") + 1]:
            yield f"{file}: {said}, and CMakeLists.txt says {version}"
    count = 0
    for pattern in SINCE:
        for path in sorted(root.glob(pattern)):
            for since in re.findall(r"[Ss]ince (\d+\.\d+)\b", path.read_text(encoding="utf-8")):
                count += 1
                if numbers_of(since) > numbers_of(version):
                    yield f"{path.relative_to(root)}: since {since}, and CMakeLists.txt says {version}"
    if count < 200:
        yield f"{count} versions found behind a 'since': there were over 200"


def main():
    problems = list(problems_in(pathlib.Path(sys.argv[1])))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
