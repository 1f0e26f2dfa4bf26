#!/usr/bin/env python3
"""cmake/release.sh on the sources alone: the archive holds what the commit does, twice the same bytes, and checksums
agree; and cmake/sbom.py says what it was told. What is compiled is compared by hand, see cmake/packaging/README.md.
Reads SOURCE from the environment. Skipped (77) outside of a checkout."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOURCE"])


def run(*words, code=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != code:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name)

    def test_sources(self):
        clone = self.top / "clone"
        run("git", "clone", "--quiet", "--depth", "1", f"file://{SOURCE}", clone)
        said = run("cmake/release.sh", "HEAD", "--only", "source", "--check", cwd=clone,
                   env={**os.environ, "HOME": str(self.top)})
        self.assertIn("two builds are equal", said)
        line = (clone / "dist/HEAD/SHA256SUMS").read_text().split()
        self.assertEqual(hashlib.sha256((clone / "dist/HEAD" / line[1]).read_bytes()).hexdigest(), line[0])
        with tarfile.open(clone / "dist/HEAD" / line[1]) as archive:
            names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
        self.assertLessEqual({"CMakeLists.txt", "LICENSE", "cmake/release.sh", "capi/hwest.h"}, names)
        self.assertIn("no tag or commit 'v99'", run("cmake/release.sh", "v99", cwd=clone, code=2))

    def test_bill_of_materials(self):
        program = SOURCE / "cmake/sbom.py"
        for folder in ("a", "b"):
            run(sys.executable, program, self.top / folder, "1.2.3", "zlib=1.3", "abseil-cpp=2022")
        for name in ("sbom.cdx.json", "THIRD_PARTY.txt"):
            self.assertEqual((self.top / "a" / name).read_bytes(), (self.top / "b" / name).read_bytes())
        document = json.loads((self.top / "a/sbom.cdx.json").read_text())
        self.assertEqual((document["bomFormat"], document["specVersion"]), ("CycloneDX", "1.5"))
        self.assertEqual([(part["name"], part["version"], part["licenses"][0]["expression"])
                          for part in document["components"]],
                         [("abseil-cpp", "2022", "Apache-2.0"), ("zlib", "1.3", "Zlib")])
        self.assertIn("zlib 1.3: Zlib", (self.top / "a/THIRD_PARTY.txt").read_text())
        self.assertIn("other: no licence is known",
                      run(sys.executable, program, self.top / "c", "1", "other=1", code=1))


if __name__ == "__main__":
    if not (SOURCE / ".git").exists():
        print("DID NOT RUN: these sources are no checkout, of which a release is made")
        sys.exit(77)
    unittest.main()
