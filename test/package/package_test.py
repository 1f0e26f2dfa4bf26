#!/usr/bin/env python3
"""What `cmake --install` puts on a prefix is used as a stranger would: find_package, pkg-config, add_subdirectory, in C
and C++, shared and static. Reads CMAKE, BUILD, SOURCE, MODEL, CC and CXX from the environment."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, SOURCE = os.environ["CMAKE"], os.environ["BUILD"], pathlib.Path(os.environ["SOURCE"])
MODEL, CC, CXX = os.environ["MODEL"], os.environ["CC"], os.environ["CXX"]
CONSUMER = SOURCE / "test/package/consumer"
TARGET = "jetson-orin"


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(str(word) for word in command)}\n{done.stdout}")
    return done.stdout


def configure(source, folder, *options):
    return run(CMAKE, "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_C_COMPILER={CC}",
               f"-DCMAKE_CXX_COMPILER={CXX}", *options)


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.top = pathlib.Path(cls.folder.name)
        run(CMAKE, "--install", BUILD, "--prefix", cls.top / "made")
        cls.prefix = cls.top / "moved"  # nothing in it may know where it was installed
        (cls.top / "made").rename(cls.prefix)
        cls.want = run(cls.prefix / "bin/onnx-hwest", MODEL, "--target", TARGET, "--format", "csv", "--quiet")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, program, **environment):
        self.assertRegex(run(program, MODEL, TARGET, **environment), r"^0\.\d+ ms on jetson-agx-orin-64gb\n")

    def test_files(self):
        for name in ("bin/onnx-hwest", "include/hwest.h", "include/hwest_options.h", "include/hwest_rows.h",
                     "include/hwest/analysis.h", "lib/libhwest.so",
                     "lib/libhwest.so.0", "lib/libhwest.a", "share/onnx-hwest/target.proto",
                     "share/onnx-hwest/data/a100.textproto", "share/man/man1/onnx-hwest.1.gz",
                     "share/bash-completion/completions/onnx-hwest", "share/zsh/site-functions/_onnx-hwest",
                     "share/fish/vendor_completions.d/onnx-hwest.fish", "lib/cmake/onnx_hwest/onnx_hwest-config.cmake",
                     "lib/pkgconfig/onnx_hwest.pc", "lib/pkgconfig/onnx_hwest_static.pc"):
            self.assertTrue((self.prefix / name).exists(), msg=name)

    def test_no_path_of_the_build_is_installed(self):
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.suffix in (".cmake", ".pc", ".h"):
                text = path.read_text()
                for place in (str(SOURCE), BUILD, str(self.top)):
                    self.assertNotIn(place, text, msg=path)

    def test_check_finds_its_program(self):
        if (self.prefix / "libexec/onnx-hwest/onnx-hwest-check").exists():
            done = subprocess.run([str(self.prefix / "bin/onnx-hwest"), "shapes", MODEL, "--check"],
                                  capture_output=True,
                                  text=True)
            self.assertNotIn("onnx-hwest-check", done.stderr)  # libonnx wants the weights, which are not there

    def test_destdir(self):
        root = self.top / "root"
        run(CMAKE, "--install", BUILD, "--prefix", "/opt/hwest", DESTDIR=str(root))
        self.assertEqual([path.name for path in root.iterdir()], ["opt"])
        names = [sorted(str(path.relative_to(base)) for path in base.rglob("*"))
                 for base in (root / "opt/hwest", self.prefix)]
        self.assertEqual(names[0], names[1])

    def test_python_finds_the_library_beside_it(self):
        package = next(self.prefix.glob("lib*/python*/*/onnx_hwest"))
        plain = {key: value for key, value in os.environ.items() if key not in ("HWEST_LIBRARY", "LD_LIBRARY_PATH")}
        program = "import onnx_hwest; print(onnx_hwest.library_path(), onnx_hwest.library_version())"
        done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True,
                              env={**plain, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.returncode, 0, msg=done.stderr)
        self.assertTrue(done.stdout.startswith(str(self.prefix / "lib")), msg=done.stdout)

    def test_errors_name_the_installed_schema(self):
        wrong = self.top / "wrong.textproto"
        wrong.write_text("nonsense: 1")
        done = subprocess.run([str(self.prefix / "bin/onnx-hwest"), "targets", "lint", str(wrong), "--json"],
                              capture_output=True, text=True)
        self.assertIn(str(self.prefix / "share/onnx-hwest/target.proto"), done.stdout)

    def test_cpp_standard_is_named(self):
        text = (self.prefix / "lib/pkgconfig/onnx_hwest_static.pc").read_text()
        self.assertIn("-std=c++20", text)
        self.assertIn("C++20", (SOURCE / "docs/from-code.md").read_text())

    def test_find_package(self):
        folder = self.top / "find"
        configure(CONSUMER, folder, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run(CMAKE, "--build", folder)
        for program in ("estimate_c", "estimate_c_static", "estimate_cpp"):
            with self.subTest(program):
                self.check(folder / program)

    def test_find_package_refuses(self):
        run(CMAKE, "-S", SOURCE / "test/package/refused", "-B", self.top / "refused",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def pkg_config(self, name, *options):
        path = str(self.prefix / "lib/pkgconfig")
        return run("pkg-config", "--cflags", "--libs", *options, name, PKG_CONFIG_PATH=path).split()

    def test_pkg_config_shared(self):
        program = self.top / "pkg_shared"
        run(CC, "-std=c99", CONSUMER / "estimate.c", "-o", program, *self.pkg_config("onnx_hwest"))
        self.check(program, LD_LIBRARY_PATH=str(self.prefix / "lib"))

    def test_pkg_config_static(self):
        program = self.top / "pkg_static"
        run(CXX, "-std=c++20", CONSUMER / "estimate.cc", "-o", program, *self.pkg_config("onnx_hwest_static"))
        self.check(program)
        self.assertNotIn("libhwest", run("ldd", program))

    def test_add_subdirectory(self):
        # The folders are compiled by this very build already. Here the graph is made, and the consumer's own commands
        # run by themselves: what ninja puts before them packs targets and patterns, and so compiles most of the
        # library.
        folder = self.top / "sub"
        configure(CONSUMER, folder, f"-DSOURCE={SOURCE}")
        for made in ("CMakeFiles/estimate_cpp.dir/estimate.cc.o", "CMakeFiles/estimate_c.dir/estimate.c.o"):
            command = run("ninja", "-C", folder, "-t", "commands", "-s", made).splitlines()[-1]
            run("sh", "-c", f'cd "$0" && {command}', folder)
            self.assertTrue((folder / made).exists(), msg=command)
        plan = run("ninja", "-C", folder, "-t", "commands", "estimate_c", "estimate_c_static", "estimate_cpp")
        self.assertIn("onnx-hwest/capi/libhwest.so", plan)
        self.assertNotRegex(plan, r"(?<![\w./-])onnx-hwest/test", "its tests are no part of it")

    def test_what_setup_builds_is_what_is_installed(self):
        presets = json.loads((SOURCE / "CMakePresets.json").read_text())["buildPresets"]
        targets = next(preset["targets"] for preset in presets if preset["name"] == "program")
        commands = run("ninja", "-C", BUILD, "-t", "commands", *targets)
        for name in ("-o onnx-hwest ", "-o capi/libhwest.so", "libhwest.a", "describe man",
                     "describe completions --shell bash"):
            self.assertTrue(name in commands, msg=f"{' '.join(targets)} makes no {name}")

    def test_the_guide_as_it_is_typed(self):
        """The commands of C and C++ in one shell, one after the other, beside the files that the page shows."""
        folder = self.top / "typed"
        folder.mkdir()
        (folder / "examples").symlink_to(SOURCE / "examples")
        fences = re.findall(r"^```(\w*)\n(.*?)^```$", (SOURCE / "docs/from-code.md").read_text(), re.S | re.M)
        for language, name in (("cmake", "CMakeLists.txt"), ("cpp", "estimate.cc")):
            (folder / name).write_text(next(text for own, text in fences if own == language))
        script = "".join(text for own, text in fences if own == "" and re.match(r"cmake -", text))
        for old, new in (("cmake --install build", f"{CMAKE} --install {BUILD}"),
                         ("/opt/onnx-hwest", str(self.top / "opt")),
                         ("cmake -S", f"CC={CC} CXX={CXX} {CMAKE} -S"), ("cmake --build", f"{CMAKE} --build"),
                         ("\ncc ", f"\n{CC} ")):
            self.assertIn(old, script)
            script = script.replace(old, new)
        plain = dict.fromkeys(("PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "LD_LIBRARY_PATH"), "")
        said = run("sh", "-ec", f"cd {folder}\n{script}", **plain)
        self.assertRegex(said, r"(?m)^examples/models/resnet18.onnx on \S+: [\d.]+ ms .*: ok$")
        self.assertRegex(said, r"(?m)^0\.\d+ ms on jetson-agx-orin-64gb$")

    def test_the_guide_shows_the_consumer(self):
        guide = (SOURCE / "docs/from-code.md").read_text()
        lines = (CONSUMER / "CMakeLists.txt").read_text().splitlines()
        for text in ((CONSUMER / "estimate.cc").read_text(), *[line for line in lines if "estimate_cpp" in line]):
            self.assertTrue(text in guide, msg=f"docs/from-code.md does not show:\n{text}")


if __name__ == "__main__":
    unittest.main()
