#!/usr/bin/env python3
"""The .deb files that cpack makes: unpacked into a folder, what is in them runs, what is compiled against them runs,
and they ask for what it needs. Reads CMAKE, CPACK, BUILD, SOURCE, MODEL, CC, CXX, PYTHON and, for packages of another
machine, EMULATOR and TOOLCHAIN from the environment. Skipped (77) where there is no dpkg-shlibdeps.

By hand, for the packages of the preset release-aarch64:

    BUILD=$PWD/build-release-aarch64 SOURCE=$PWD MODEL=$PWD/examples/models/resnet18.onnx CMAKE=cmake CPACK=cpack \\
    CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ EMULATOR=qemu-aarch64-static TOOLCHAIN=$PWD/cmake/aarch64.cmake
    \\ PYTHON=$PWD/build-release-aarch64/emulated/python3 python3 test/package/deb_test.py
"""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, CPACK, BUILD, SOURCE, MODEL = (os.environ[name] for name in ("CMAKE", "CPACK", "BUILD", "SOURCE", "MODEL"))
CC, CXX = os.environ["CC"], os.environ["CXX"]
EMULATOR = os.environ.get("EMULATOR", "").split()
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}  # Debian's names
# What runs of the examples, its arguments and what it prints.
EXAMPLES = {
    "latency_gate.c": ((MODEL, "jetson-orin", "1000"), "budget 1000.000 ms: ok"),
    "custom_target.c": ((MODEL, f"{SOURCE}/examples/my_npu.textproto"), "my-npu: 21 figures"),
    "custom_op.c": ((f"{SOURCE}/examples/models/gated_mix.onnx", "jetson-orin"), "with rule    3 of 3 nodes costed"),
    "module_rollup.cc": ((MODEL, "jetson-orin"), "conv1 +1 +118013952 "),
    "server_thread.cc": ((MODEL, "jetson-orin", "tda4vm"), "tda4vm: [0-9.]+ ms"),
}


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
        cls.machine = run(CC, "-dumpmachine").strip()  # as Debian's folders are named

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_names(self):
        self.assertEqual(sorted(self.packages), ["libhwest-dev", "libhwest0", "onnx-hwest", "python3-onnx-hwest"])

    def test_dependencies(self):
        for package, wants in {
            "onnx-hwest": ("libc6", "libstdc++6"),
            "libhwest0": ("libc6", "libstdc++6", "libprotobuf", "libabsl"),
            "libhwest-dev": ("libhwest0 (= ",),
            "python3-onnx-hwest": ("python3", "libhwest0"),
        }.items():
            depends = self.field(package, "Depends")
            for want in wants:
                self.assertRegex(depends, r"(^|, )" + re.escape(want), msg=package)
            self.assertNotRegex(depends, "gvc|cgraph|rsvg|-dev", msg=package)
        self.assertRegex(self.field("onnx-hwest", "Recommends"), r"libgvc\d, librsvg2-2")

    def test_program(self):
        out = run(*EMULATOR, self.root / "usr/bin/onnx-hwest", MODEL, "--target", "jetson-orin", "--quiet")
        self.assertIn("jetson-agx-orin-64gb", out)

    def test_manual_and_completions(self):
        share = self.root / "usr/share"
        self.assertIn("ONNX", gzip.open(share / "man/man1/onnx-hwest.1.gz", "rt").readline())
        for name in ("bash-completion/completions/onnx-hwest", "zsh/vendor-completions/_onnx-hwest",
                     "fish/vendor_completions.d/onnx-hwest.fish"):
            self.assertIn("describe completions", (share / name).read_text())

    def test_places(self):
        # What is for one machine lies in a folder of its own, so that packages of two can be installed; a build whose
        # prefix is not the system's knows none.
        place = pathlib.Path(self.libraries).relative_to(self.root)
        if EMULATOR or "CMAKE_INSTALL_PREFIX:PATH=/usr\n" in pathlib.Path(BUILD, "CMakeCache.txt").read_text():
            self.assertEqual(str(place), f"usr/lib/{self.machine}")
        for name in ("libhwest.so", "libhwest.a", "pkgconfig/onnx_hwest.pc", "pkgconfig/onnx_hwest_static.pc",
                     "cmake/onnx_hwest/onnx_hwest-config.cmake"):
            self.assertEqual([path.relative_to(self.root) for path in self.root.rglob(pathlib.Path(name).name)],
                             [place / name])
        for package in self.packages:
            want = "all" if package.startswith("python3-") else ARCHITECTURES[self.machine.split("-")[0]]
            self.assertEqual(self.field(package, "Architecture"), want, msg=package)

    def pkg_config(self, name):
        """Flags for `name`, whose own requirements are those of the machine that the packages are for."""
        places = [str(next(self.root.rglob("onnx_hwest.pc")).parent), f"/usr/lib/{self.machine}/pkgconfig"]
        return run("pkg-config", "--cflags", "--libs", name, PKG_CONFIG_LIBDIR=":".join(places)).split()

    def test_examples_through_pkg_config(self):
        for name, (arguments, wants) in EXAMPLES.items():
            if name.endswith(".cc") and not EMULATOR:
                continue  # takes its time, and the test `package` links the archive on this machine
            with self.subTest(name):
                program = self.root / pathlib.Path(name).stem
                compiler = [CC, *self.pkg_config("onnx_hwest")]
                if name.endswith(".cc"):  # C++ takes the archive
                    compiler = [CXX, "-std=c++20", "-pthread", *self.pkg_config("onnx_hwest_static")]
                run(compiler[0], f"{SOURCE}/examples/{name}", "-o", program, *compiler[1:])
                self.assertRegex(run(*EMULATOR, program, *arguments, LD_LIBRARY_PATH=self.libraries), wants)

    @unittest.skipUnless(EMULATOR, "the test `package` does this on this machine")
    def test_find_package(self):
        folder = self.root / "found"
        toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={os.environ['TOOLCHAIN']}"] if os.environ.get("TOOLCHAIN") else []
        run(CMAKE, "-S", f"{SOURCE}/test/package/consumer", "-B", folder, "-G", "Ninja", f"-DCMAKE_C_COMPILER={CC}",
            f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_PREFIX_PATH={self.root}/usr", *toolchain)
        run(CMAKE, "--build", folder)
        for program in ("estimate_c", "estimate_c_static", "estimate_cpp"):
            with self.subTest(program):
                self.assertIn(" ms on ", run(*EMULATOR, folder / program, MODEL, "hailo-8"))

    @unittest.skipUnless(os.environ.get("PYTHON"), "no Python of that machine")
    def test_python(self):
        code = "import onnx_hwest, sys; print(onnx_hwest.load(sys.argv[1]).analyze('hailo-8').totals.target)"
        out = run(os.environ["PYTHON"], "-c", code, MODEL, LD_LIBRARY_PATH=self.libraries, PYTHONDONTWRITEBYTECODE="1",
                  PYTHONPATH=str(self.root / "usr/lib/python3/dist-packages"))
        self.assertEqual(out, "hailo-8\n")

    def test_policy(self):
        for package, path in self.packages.items():
            folder = self.root / "usr/share/doc" / package
            for name in ("copyright", "changelog.gz", "sbom.cdx.json", "THIRD_PARTY.txt"):
                self.assertTrue((folder / name).exists(), msg=f"{package}: {name}")
            self.assertRegex(self.field(package, "Maintainer"), "<.+@.+>")
            for line in run("dpkg-deb", "-c", path).splitlines():
                self.assertRegex(line, r"^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root ")
        control = run("dpkg-deb", "-I", self.packages["libhwest0"])
        self.assertIn("shlibs", control)
        self.assertIn("triggers", control)


if __name__ == "__main__":
    if shutil.which("dpkg-shlibdeps") is None:
        print("DID NOT RUN: dpkg-shlibdeps is not installed (package dpkg-dev)")
        sys.exit(77)
    unittest.main()
