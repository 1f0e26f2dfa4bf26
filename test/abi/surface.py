"""The interface that a header describes, as a library of empty functions with debug information: what abidw reads."""

import os
import re
import subprocess

CONSTANT = r"\b(HWEST_\w+) = (-?\d+)"

# For tools of the host: under a sanitizer only the library is to be watched.
PLAIN = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def output_of(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, env=PLAIN, **options).stdout


def code_of(header_text):
    """The header without its comments."""
    return re.sub(r"/\*.*?\*/", " ", header_text, flags=re.S)


def functions_of(header_text):
    """[(return type, name, parameters)]"""
    found = re.findall(r"HWEST_API\s+([\w\s*]+?)(\w+)\(([^)]*)\);", code_of(header_text))
    return [(" ".join(returns.split()), name, " ".join(parameters.split())) for returns, name, parameters in found]


def structs_of(header_text):
    """name: [fields]"""
    structs = re.findall(r"typedef struct (\w+) \{(.*?)\n\} \w+;", code_of(header_text), flags=re.S)
    return {name: re.findall(r"(\w+);", body) for name, body in structs}


def dump(header_text, folder, compiler):
    """Writes what abidw says of the interface; the path of the dump."""
    source = ['#include "hwest.h"']
    for returns, name, parameters in functions_of(header_text):
        source.append(f"{returns} {name}({parameters}) {{ {'' if returns == 'void' else 'return 0;'} }}")
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, "hwest.h"), header_text)
    write(os.path.join(folder, "surface.c"), "\n".join(source) + "\n")
    # Constants are reachable from no function: their types are int32_t. So all types are kept and compared.
    output_of([compiler, "-g", "-w", "-fno-eliminate-unused-debug-types", "-fvisibility=hidden", "-shared", "-fPIC",
               "surface.c", "-o", "libhwest.so", "-Wl,-soname,libhwest.so.1"], cwd=folder)
    path = os.path.join(folder, "libhwest.abi")
    output_of(["abidw", "--load-all-types", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--out-file",
               path, "libhwest.so"], cwd=folder)
    return path


def difference(old_dump, new_dump):
    """(exit status of abidiff, what it says); 0 = the same interface."""
    run = subprocess.run(["abidiff", "--non-reachable-types", old_dump, new_dump], capture_output=True, text=True,
                         env=PLAIN, check=False)
    return run.returncode, run.stdout + run.stderr


def facts_of(header_folder, compiler, scratch):
    """Every constant, size and offset that the header gives on this machine, by name."""
    text = read(os.path.join(header_folder, "hwest.h"))
    lines = [f'printf("{name} %lld\\n", (long long){name});' for name, _ in re.findall(CONSTANT, code_of(text))]
    for struct, fields in structs_of(text).items():
        for field in fields:
            place = f"offsetof({struct}, {field}), sizeof((({struct} *)0)->{field})"
            lines.append(f'printf("{struct}.{field} %zu:%zu\\n", {place});')
    os.makedirs(scratch, exist_ok=True)
    source, program = os.path.join(scratch, "facts.c"), os.path.join(scratch, "facts")
    write(source, '#include <stdio.h>\n#include "hwest.h"\nint main(void) {\n%s\nreturn 0;\n}\n' % "\n".join(lines))
    output_of([compiler, "-I", header_folder, source, "-o", program])
    return dict(line.split() for line in output_of([program]).splitlines())
