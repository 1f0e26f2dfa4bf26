"""--check: what libonnx accepts, rejects, and is too old for."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop()


def field(number, payload):
    """One field of a protobuf message: bytes, text or a small number."""
    if isinstance(payload, int):
        return bytes([number << 3, payload])
    payload = payload.encode() if isinstance(payload, str) else payload
    return bytes([number << 3 | 2, len(payload)]) + payload


def port(name):
    """A ValueInfoProto: float of shape [4]."""
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, field(1, field(1, 4)))))


def model(opset=17, attribute=b""):
    """y = Relu(x)."""
    node = field(1, "x") + field(2, "y") + field(4, "Relu") + attribute
    graph = field(1, node) + field(2, "g") + field(11, port("x")) + field(12, port("y"))
    return field(1, 8) + field(7, graph) + field(8, field(2, opset))


def is_executable_file(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


class CheckTest(unittest.TestCase):
    def run_on(self, content):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            with open(path, "wb") as file:
                file.write(content)
            return subprocess.run([TOOL, "shapes", path, "--check"], capture_output=True, text=True)

    def test_accepted(self):
        result = self.run_on(model())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn("not checked", result.stdout)

    def test_rejected(self):
        attribute = field(5, field(1, "speed") + field(3, 1) + bytes([0xA0, 0x01, 2]))
        result = self.run_on(model(attribute=attribute))
        self.assertEqual(result.returncode, 8, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn("libonnx rejects the model: Unrecognized attribute: speed", result.stderr)

    def test_newer(self):
        result = self.run_on(model(opset=99))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("not checked: the model is of ai.onnx 99", result.stdout)

    @unittest.skipUnless(is_executable_file(TOOL),
                         "a script starts the program, which finds the checker where it was built")
    def test_checker_does_not_start(self):
        with tempfile.TemporaryDirectory() as folder:
            checker, path = (os.path.join(folder, name) for name in ("onnx-hwest-check", "m.onnx"))
            with open(path, "wb") as file:
                file.write(model())
            with open(checker, "w") as file:
                file.write("#!/bin/sh\nexit 127\n")  # as the loader does where libonnx is not installed
            os.chmod(checker, 0o755)
            tool = shutil.copy(TOOL, folder)
            result = subprocess.run([tool, "shapes", path, "--check"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"cannot start {checker}: it ended with status 127", result.stderr)
            self.assertNotIn("rejects", result.stderr)

    def test_standard_input(self):
        result = subprocess.run([TOOL, "shapes", "-", "--check"], input=model(), capture_output=True)
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
