"""What was released stays: today's interface and library beside each frozen header, and proof that breaks are seen."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import surface

SOURCE = os.environ["HWEST_SOURCE_DIR"]
LIBRARY = os.environ["HWEST_LIBRARY"]
COMPILER = os.environ["CC"]
CAPI = os.path.join(SOURCE, "capi")
FROZEN = os.path.join(SOURCE, "test", "abi", "frozen")
MODEL = os.path.join(SOURCE, "examples", "models", "resnet18.onnx")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
HAS_ABIGAIL = shutil.which("abidiff") and shutil.which("abidw")
NO_ABIGAIL = "abidiff is not there: install abigail-tools"


def versions():
    """Frozen versions, oldest first."""
    return sorted(os.listdir(FROZEN), key=lambda version: [int(part) for part in version.split(".")])


def frozen(version, name):
    return os.path.join(FROZEN, version, name)


class FrozenTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_there_is_one_for_the_number_in_the_header(self):
        text = surface.read(os.path.join(CAPI, "hwest.h"))
        number = ".".join(re.search(rf"HWEST_ABI_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR"))
        self.assertEqual(versions()[-1], number)

    @unittest.skipUnless(HAS_ABIGAIL, NO_ABIGAIL)
    def test_abidiff_finds_todays_interface_frozen(self):
        today = surface.dump(surface.read(os.path.join(CAPI, "hwest.h")), self.folder, COMPILER)
        status, text = surface.difference(frozen(versions()[-1], "libhwest.abi"), today)
        self.assertEqual(status, 0, f"freeze what was added as a new minor version:\n{text}")

    def test_constants_and_layouts_stay(self):
        today = surface.facts_of(CAPI, COMPILER, self.folder)
        for version in versions():
            facts = surface.facts_of(os.path.dirname(frozen(version, "hwest.h")), COMPILER, self.folder)
            self.assertGreater(len(facts), 100)
            self.assertEqual({name: today.get(name) for name in facts}, facts, version)

    def test_functions_stay_exported_under_their_version(self):
        lines = surface.output_of([os.environ["NM"], "-D", "--defined-only", "--with-symbol-versions", LIBRARY])
        exported = {line.split()[-1] for line in lines.splitlines()}
        for version in versions():
            for _, name, _ in surface.functions_of(surface.read(frozen(version, "hwest.h"))):
                self.assertTrue(any(symbol.startswith(f"{name}@@HWEST_{version.split('.')[0]}")
                                    for symbol in exported), name)

    def test_clients_keep_running(self):
        for version in versions():
            program = os.path.join(self.folder, "client")
            surface.output_of([COMPILER, *STRICT, "-I", os.path.dirname(frozen(version, "hwest.h")),
                               frozen(version, "client.c"), "-o", program, LIBRARY])
            path = os.path.dirname(LIBRARY)
            run = subprocess.run([program, MODEL], env=dict(os.environ, LD_LIBRARY_PATH=path), capture_output=True,
                                 text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (0, "ok\n"), f"{version}: {run.stderr}")


def replaced(pattern, replacement):
    def edit(text):
        edited, count = re.subn(pattern, replacement, text, count=1, flags=re.S)
        assert count == 1, pattern
        return edited
    return edit


@unittest.skipUnless(HAS_ABIGAIL, NO_ABIGAIL)
class BrokenTest(unittest.TestCase):
    """The check itself: variants of the newest frozen header that break clients, and one that does not."""

    BROKEN = {
        "a field inserted": (replaced(r"(  int64_t buffers;)", r"  int64_t inserted;\n\1"), "inserted"),
        "an enum renumbered": (replaced(r"HWEST_BOUND_MEMORY = 2", "HWEST_BOUND_MEMORY = 7"), "HWEST_BOUND_MEMORY"),
        "a symbol dropped": (replaced(r"HWEST_API int32_t hwest_cancel_requested\([^)]*\);", ""),
                             "hwest_cancel_requested"),
    }

    def differences(self, edit):
        with tempfile.TemporaryDirectory() as folder:
            text = edit(surface.read(frozen(versions()[-1], "hwest.h")))
            return surface.difference(frozen(versions()[-1], "libhwest.abi"), surface.dump(text, folder, COMPILER))

    def test_each_break_is_seen(self):
        for name, (edit, told) in self.BROKEN.items():
            with self.subTest(broken=name):
                status, text = self.differences(edit)
                self.assertNotEqual(status, 0)
                self.assertIn(told, text)

    def test_a_comment_is_no_break(self):
        status, text = self.differences(lambda header: header.replace("/** Version of the library", "/** The version"))
        self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()
