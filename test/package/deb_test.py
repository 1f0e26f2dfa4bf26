#!/usr/bin/env python3
"""The .deb files that cpack makes: unpacked into a folder, what is in them runs, and they ask for what it needs. Reads
CPACK, BUILD, SOURCE, MODEL, PYTHON and, for packages of another machine, EMULATOR from the environment. Skipped (77) where
there is no dpkg-shlibdeps."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CPACK, BUILD, SOURCE, MODEL = (os.environ[name] for name in ("CPACK", "BUILD", "SOURCE", "MODEL"))
EMULATOR = os.environ.get("EMULATOR", "").split()


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(str(word) for word in command)}\n{done.stdout}")
    return done.stdout


class DebTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        top = pathlib.Path(cls.folder.name)
        # Compressed only as far as a test needs.
        run(CPACK, "--config", f"{BUILD}/CPackConfig.cmake", "-B", top, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
        cls.packages = {path.name.split("_")[0]: path for path in top.glob("*.deb")}
        cls.root = top / "root"
        for path in cls.packages.values():
            run("dpkg-deb", "-x", path, cls.root)
        cls.libraries = str(next(cls.root.rglob("libhwest.so.0")).parent)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_names(self):
        self.assertEqual(sorted(self.packages), ["libhwest-dev", "libhwest0", "onnx-hwest", "python3-onnx-hwest"])

    def test_dependencies(self):
        for package, wants in {
            "onnx-hwest": ("libc6", "libstdc++6", "libnlopt0"),
            "libhwest0": ("libc6", "libstdc++6", "libnlopt0", "libprotobuf", "libabsl"),
            "libhwest-dev": ("libhwest0 (= ",),
            "python3-onnx-hwest": ("python3", "libhwest0"),
        }.items():
            depends = self.field(package, "Depends")
            for want in wants:
                self.assertRegex(depends, r"(^|, )" + re.escape(want), msg=package)
            self.assertNotRegex(depends, "gvc|cgraph|-dev", msg=package)
        self.assertRegex(self.field("onnx-hwest", "Recommends"), r"libgvc\d")

    def test_program(self):
        out = run(*EMULATOR, self.root / "usr/bin/onnx-hwest", MODEL, "--target", "jetson-orin", "--quiet")
        self.assertIn("jetson-agx-orin-64gb", out)

    def test_manual_and_completions(self):
        share = self.root / "usr/share"
        self.assertIn("ONNX", gzip.open(share / "man/man1/onnx-hwest.1.gz", "rt").readline())
        for name in ("bash-completion/completions/onnx-hwest", "zsh/vendor-completions/_onnx-hwest",
                     "fish/vendor_completions.d/onnx-hwest.fish"):
            self.assertIn("describe completions", (share / name).read_text())

    def test_library_through_pkg_config(self):
        program = self.root / "estimate"
        path = str(next(self.root.rglob("onnx_hwest.pc")).parent)
        flags = run("pkg-config", "--cflags", "--libs", "onnx_hwest", PKG_CONFIG_PATH=path).split()
        run(os.environ["CC"], f"{SOURCE}/test/package/consumer/estimate.c", "-o", program, *flags)
        self.assertIn(" ms on ", run(*EMULATOR, program, MODEL, "hailo-8", LD_LIBRARY_PATH=self.libraries))

    @unittest.skipUnless(os.environ.get("PYTHON"), "no Python of that machine")
    def test_python(self):
        code = "import onnx_hwest, sys; print(onnx_hwest.load(sys.argv[1]).analyze('hailo-8').totals.target)"
        out = run(os.environ["PYTHON"], "-c", code, MODEL, LD_LIBRARY_PATH=self.libraries, PYTHONDONTWRITEBYTECODE="1",
                  PYTHONPATH=str(self.root / "usr/lib/python3/dist-packages"))
        self.assertEqual(out, "hailo-8\n")

    def test_policy(self):
        for package, path in self.packages.items():
            folder = self.root / "usr/share/doc" / package
            self.assertTrue((folder / "copyright").exists() and (folder / "changelog.gz").exists(), msg=package)
            self.assertRegex(self.field(package, "Maintainer"), "<.+@.+>")
            for line in run("dpkg-deb", "-c", path).splitlines():
                self.assertRegex(line, r"^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root ")
        control = run("dpkg-deb", "-I", self.packages["libhwest0"])
        self.assertIn("shlibs", control)
        self.assertIn("triggers", control)


if __name__ == "__main__":
    if shutil.which("dpkg-shlibdeps") is None:
        print("Skipped: dpkg-shlibdeps is not installed (package dpkg-dev)")
        sys.exit(77)
    unittest.main()
