#!/usr/bin/env python3
"""The reference is made of every function and table, and what is wrong in a comment fails. Reads BUILD, SOURCE and
CMAKE from the environment."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE = pathlib.Path(os.environ["BUILD"]), pathlib.Path(os.environ["SOURCE"])


class DocsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([os.environ["CMAKE"], "--build", str(BUILD), "--target", "docs"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise AssertionError(done.stdout)

    def test_every_function_and_table_is_in_it(self):
        headers = ("hwest", "hwest_options", "hwest_rows")
        page = "".join((BUILD / f"docs/c/{name.replace('_', '__')}_8h.html").read_text() for name in headers)
        text = "".join((SOURCE / f"capi/{name}.h").read_text() for name in headers)
        functions = set(re.findall(r"^HWEST_API [^(;]*?(hwest_\w+)\(", text, re.M))
        self.assertGreater(len(functions), 50)
        self.assertEqual([name for name in sorted(functions) if name not in page], [])
        pages = "".join(path.read_text() for path in (BUILD / "docs/c").glob("md_*.html"))
        for word in ("MaxPool", "conv_act", "jetson-agx-orin-64gb", "free_dims", "markdown"):
            self.assertTrue(word in pages, msg=word)

    def test_the_cpp_api_has_its_comments(self):
        page = (BUILD / "docs/cpp/classhwest_1_1Dim.html").read_text()
        self.assertIn("Constants need no pool", page)
        self.assertIn("Analyze runs every stage", (BUILD / "docs/cpp/namespacehwest.html").read_text())

    def check(self, old, new):
        """What doxygen.py says of the C header with `old` replaced."""
        header = (SOURCE / "capi/hwest.h").read_text()
        self.assertTrue(old in header, msg=old)
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / "hwest.h"
            changed.write_text(header.replace(old, new, 1))
            text = (BUILD / "docs/c.doxyfile").read_text().replace(str(BUILD / "docs/c"), f"{folder}/out")
            text = re.sub(r"(?m)^INPUT .*$", f"INPUT = {changed}", text)
            (pathlib.Path(folder) / "doxyfile").write_text(text)
            (pathlib.Path(folder) / "out").mkdir()
            done = subprocess.run([sys.executable, str(SOURCE / "docs/doxygen.py"), os.environ["DOXYGEN"],
                                   f"{folder}/doxyfile", f"{folder}/out.warnings"], capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_a_wrong_comment_fails(self):
        self.assertEqual(self.check("#endif", "#endif")[0], 0)
        code, said = self.check("@param[in]  path ", "@param[in]  pth ")
        self.assertEqual(code, 1)
        self.assertIn("pth", said)

    def test_a_function_without_a_comment_fails(self):
        code, said = self.check("#ifdef __cplusplus\n}", "int hwest_unheard_of(void);\n#ifdef __cplusplus\n}")
        self.assertEqual(code, 1)
        self.assertIn("hwest_unheard_of", said)


if __name__ == "__main__":
    unittest.main()
