#!/usr/bin/env python3
"""Writes what a package carries of others: sbom.cdx.json (CycloneDX 1.5) and THIRD_PARTY.txt, its licences.

usage: sbom.py FOLDER VERSION NAME=VERSION...

Every NAME is a key of PARTS, and a part of PARTS that is not named is left out. The text of a licence is that which the
distribution ships with the part; without one, as in a build with other packages, it is the name of the licence and
where it stands. Equal arguments on one machine give equal bytes.
"""

import json
import pathlib
import re
import sys
import uuid

PARTS = {  # licence, where the sources are, Debian's package, how it is used
    "abseil-cpp": ("Apache-2.0", "https://github.com/abseil/abseil-cpp", "libabsl-dev", "linked"),
    "protobuf": ("BSD-3-Clause", "https://github.com/protocolbuffers/protobuf", "libprotobuf-dev", "linked"),
    "zlib": ("Zlib", "https://github.com/madler/zlib", "zlib1g-dev", "linked"),
    "nlohmann-json": ("MIT", "https://github.com/nlohmann/json", "nlohmann-json3-dev", "compiled in, headers alone"),
    "onnx": ("Apache-2.0", "https://github.com/onnx/onnx", "libonnx-dev",
             "attributes of its operator schemas, as a table; the program behind --check links it"),
    "graphviz": ("EPL-1.0", "https://gitlab.com/graphviz/graphviz", "libgraphviz-dev", "opened at run time, if there"),
    "librsvg": ("LGPL-2.1-or-later", "https://gitlab.gnome.org/GNOME/librsvg", "librsvg2-2",
                "opened at run time, where it is"),
}


def component(name, version):
    licence, address, _, used = PARTS[name]
    return {"type": "library", "bom-ref": f"pkg:generic/{name}@{version}", "name": name, "version": version,
            "licenses": [{"expression": licence}], "purl": f"pkg:generic/{name}@{version}",
            "externalReferences": [{"type": "vcs", "url": address}],
            "properties": [{"name": "onnx-hwest:use", "value": used}]}


def sbom(version, parts):
    me = f"pkg:generic/onnx-hwest@{version}"
    components = [component(name, own) for name, own in sorted(parts.items())]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": me, "name": "onnx-hwest", "version": version,
                                   "licenses": [{"expression": "Apache-2.0"}], "purl": me}},
        "components": components,
        "dependencies": [{"ref": me, "dependsOn": [part["bom-ref"] for part in components]},
                         *({"ref": part["bom-ref"]} for part in components)]}
    text = json.dumps(document, sort_keys=True)
    return {**document, "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, text)}"}


def licences(version, parts):
    rule = "=" * 79
    texts = [f"onnx-hwest {version} is under the Apache License 2.0. What it carries or uses of others:\n"]
    for name, own in sorted(parts.items()):
        licence, address, package, used = PARTS[name]
        file = pathlib.Path("/usr/share/doc") / package / "copyright"
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else \
            f"Its text: https://spdx.org/licenses/{re.split(' ', licence)[0]}.html\n"
        texts.append(f"{rule}\n{name} {own}: {licence}\n{address}, {used}\n{rule}\n\n{text}")
    return "\n".join(texts)


def main(folder, version, *parts):
    named = dict(part.split("=", 1) for part in parts)
    unknown = set(named) - set(PARTS)
    if unknown:
        sys.exit(f"sbom.py: error: {', '.join(sorted(unknown))}: no licence is known, add it to PARTS")
    top = pathlib.Path(folder)
    top.mkdir(parents=True, exist_ok=True)
    (top / "sbom.cdx.json").write_text(json.dumps(sbom(version, named), indent=1) + "\n", encoding="utf-8")
    (top / "THIRD_PARTY.txt").write_text(licences(version, named), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
