"""What hwest.h declares, read from its text."""

import os
import re
import subprocess

# For tools of the host: under a sanitizer only the library is to be watched.
PLAIN = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def header(folder):
    """The text of hwest.h with those of the files it includes."""
    return "".join(read(os.path.join(folder, name)) for name in ("hwest.h", "hwest_rows.h", "hwest_options.h"))


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
