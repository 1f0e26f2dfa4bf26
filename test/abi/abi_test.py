"""hwest.h, hwest.map, the library's exports and the signatures in _abi.py are one interface."""

import ctypes
import os
import re
import tempfile
import unittest

import surface
from onnx_hwest import _abi

SOURCE = os.environ["HWEST_SOURCE_DIR"]
FOLDER = os.path.join(SOURCE, "capi")

POINTERS = {
    "const char *": ctypes.c_char_p,
    "const char * const *": ctypes.POINTER(ctypes.c_char_p),
    "const void *": ctypes.c_char_p,  # bytes of a model
    "void *": ctypes.c_void_p,
}
# Not text that ends at its first NUL, so not c_char_p.
RETURNS_POINTER = ("hwest_buffer_data",)


def header_code():
    return surface.code_of(surface.header(FOLDER))


def header_functions():
    """name: (return type, [parameter types])"""
    functions = {}
    for returns, name, parameters in surface.functions_of(surface.header(FOLDER)):
        types = [re.sub(r"\w+$", "", parameter).strip() for parameter in parameters.split(",")]
        functions[name] = (returns, [] if types == [""] else types)
    return functions


def handles():
    return re.findall(r"typedef struct (hwest_\w+) \1;", header_code())


def ctypes_of(c_type, name="", is_result=False):
    c_type = re.sub(r"\s*\*", " *", c_type)
    if c_type == "void":
        return None
    if is_result and name in RETURNS_POINTER:
        return ctypes.c_void_p
    if c_type in POINTERS:
        return POINTERS[c_type]
    base = c_type.replace("const ", "").replace("*", "").strip()
    stars = c_type.count("*")
    if base in handles():
        return ctypes.c_void_p if stars == 1 else ctypes.POINTER(ctypes.c_void_p)
    if base == "hwest_status":
        return ctypes.c_int32
    if base in ("uint64_t", "int64_t", "int32_t", "uint32_t", "size_t"):
        number = getattr(ctypes, "c_size_t" if base == "size_t" else "c_" + base[: -len("_t")])
        return ctypes.POINTER(number) if stars else number
    if base == "double":
        return ctypes.POINTER(ctypes.c_double) if stars else ctypes.c_double
    struct = getattr(_abi, base)
    return ctypes.POINTER(struct) if stars else struct


def run_c(code):
    """Lines printed by `code` inside main."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "probe.c"), os.path.join(folder, "probe")
        surface.write(source, '#include <stdio.h>\n#include "hwest.h"\nint main(void) {\n%s\nreturn 0;\n}\n' %
                      "\n".join(code))
        surface.output_of([os.environ["CC"], "-I", FOLDER, source, "-o", program])
        return surface.output_of([*os.environ.get("EMULATOR", "").split(), program]).splitlines()


class AbiTest(unittest.TestCase):
    maxDiff = None

    def test_header_is_read(self):
        self.assertGreater(len(header_functions()), 150)
        self.assertEqual(len(header_functions()), header_code().count("HWEST_API") - 2)  # its two definitions

    def test_map_names_the_functions_of_the_header(self):
        names = re.findall(r"^\s+(hwest_\w+);", surface.read(os.path.join(SOURCE, "capi", "hwest.map")), flags=re.M)
        self.assertEqual(sorted(names), sorted(header_functions()))

    def test_library_exports_the_functions_of_the_header(self):
        command = [os.environ["NM"], "-D", "--defined-only", os.environ["HWEST_LIBRARY"]]
        names = [line.split()[-1].split("@")[0] for line in surface.output_of(command).splitlines()
                 if line.split()[-2] != "A"]
        self.assertEqual(sorted(names), sorted(header_functions()))

    def test_layout_pins_every_member(self):
        pinned = re.findall(r"^AT\((\w+), (\w+), \d+\);", surface.read(os.path.join(SOURCE, "capi", "layout.c")),
                            flags=re.M)
        members = [(struct, field) for struct, fields in surface.structs_of(surface.header(FOLDER)).items()
                   for field in fields]
        self.assertEqual(sorted(pinned), sorted(members))

    def test_python_signatures(self):
        want = {}
        for name, (returns, parameters) in header_functions().items():
            want[name] = (ctypes_of(returns, name, is_result=True), tuple(ctypes_of(p, name) for p in parameters))
        self.assertEqual(_abi.FUNCTIONS, want)

    def test_python_structs(self):
        names = re.findall(r"^} (hwest_\w+);", header_code(), flags=re.M)
        self.assertEqual(sorted(names), sorted(struct.__name__ for struct in _abi.STRUCTS))
        code, want = [], []
        for struct in _abi.STRUCTS:
            name = struct.__name__
            code.append(f'printf("{name} %zu\\n", sizeof({name}));')
            want.append(f"{name} {ctypes.sizeof(struct)}")
            for field, _ in struct._fields_:
                place = f"offsetof({name}, {field}), sizeof((({name} *)0)->{field})"
                code.append(f'printf("{name}.{field} %zu %zu\\n", {place});')
                want.append(f"{name}.{field} {getattr(struct, field).offset} {getattr(struct, field).size}")
        self.assertEqual(run_c(code), want)

    def test_options_have_no_padding_that_cannot_be_checked(self):
        for struct in _abi.STRUCTS:
            if struct.__name__.endswith("_options"):
                members = sum(ctypes.sizeof(ctype) for _, ctype in struct._fields_)
                self.assertEqual(members, ctypes.sizeof(struct), msg=struct.__name__)

    def test_python_constants(self):
        names = [name for name in vars(_abi) if name.startswith("HWEST_")]
        printed = run_c([f'printf("%lld\\n", (long long){name});' for name in names])
        self.assertEqual(printed, [str(getattr(_abi, name)) for name in names])
        in_header = re.findall(r"\b(HWEST_\w+) = ", header_code())
        in_header += re.findall(r"#define (HWEST_\w+) [^_]", header_code())
        self.assertEqual(sorted(in_header), sorted(names))


if __name__ == "__main__":
    unittest.main()
