#!/usr/bin/env python3
"""Writes the fits of a calibrated family into the built-in target files, and leaves everything else as it is.

usage: update_fits.py CALIBRATION.json [DATA_DIR] [--data WORDS] [--only evidence]

    onnx-hwest calibrate --target FAMILY --measurements FILE --models DIR --output fits.textproto --json > fits.json
    test/bench/update_fits.py fits.json

What a family shares goes into the files its others are based on; the scale of its clock and its invocations into the
file of each target. A file that would inherit such a number of another device states its own figure again. Fits of the
family that are no longer there are taken out. WORDS name the measurements in place of the path of their file. With
`--only evidence` the fitted figures stay as they are: what measurements cover and how wide intervals are is written.
"""

import json
import pathlib
import re
import sys

DATA_DIR = pathlib.Path(__file__).resolve().parents[2] / "lib" / "target" / "data"
OWN_FIELDS = ("clock_hz", "invoke_s", "launch_s")
FORMATS = ("fp32", "tf32", "fp16", "bf16", "int8", "w8a16", "w4a16")
OWN_PARAMS = ("clock_scale", "dram_scale", *(f"format_scale.{name}" for name in FORMATS))
UNMEASURED = "as stated, not measured"
INTERVALS = "interval_ln"
FIT = re.compile(r" ?\bfit \{[^}]*\}")


def number(value):
    """The shortest text that reads back as the same number."""
    return f"{value:.15g}".replace("e+", "e") if float(f"{value:.15g}") == value else repr(value)


def fit_text(fit):
    text = (f'fit {{ value: {number(fit["value"])} spread: {number(fit["spread"])} count: {fit["count"]} '
            f'data: {json.dumps(fit["data"])}')
    if fit["shared_by"] is not None:
        text += f' shared_by: {json.dumps(fit["shared_by"])}'
    return text + " }"


def evidence_text(row):
    text = (f'  evidence {{ precision: "{row["precision"]}" count: {row["count"]} families: {row["families"]} '
            f'data: {json.dumps(row["data"])}')
    if row["shared_by"] is not None:
        text += f' shared_by: {json.dumps(row["shared_by"])}'
    return text + f' classes: "{row["classes"]}" }}'


class TargetFile:
    """Lines of one file; a row of a table is one line, a unit is a block that ends with a brace in column 0."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.name = self.top("name")
        self.family = self.top("family")
        self.base = self.top("base")
        self.bounds = {}  # of parameters that were taken out, by unit and name

    def top(self, field):
        for line in self.lines:
            found = re.match(rf'{field}: "([^"]*)"', line)
            if found:
                return found[1]
        return ""

    def unit(self, name):
        """First and last line of the unit's block, None without one."""
        for first, line in enumerate(self.lines):
            if line != "unit {":
                continue
            last = self.lines.index("}", first)
            if f'  name: "{name}"' in self.lines[first:last]:
                return first, last
        return None

    def find(self, unit, start):
        """Index of the line of the unit that begins with `start`."""
        block = self.unit(unit)
        if block is None:
            return None
        for i in range(block[0], block[1]):
            if self.lines[i].startswith("  " + start):
                return i
        return None

    def add(self, unit, line):
        block = self.unit(unit)
        if block is None:
            last_unit = max((i for i, text in enumerate(self.lines) if text == "}"), default=len(self.lines) - 1)
            self.lines[last_unit + 1:last_unit + 1] = ["unit {", f'  name: "{unit}"', line, "}"]
        else:
            self.lines.insert(block[1], line)

    def set_fact(self, unit, field, fit):
        at = self.find(unit, field + " {")
        if at is None:
            self.add(unit, f"  {field} {{ {fit} }}")
        else:
            self.lines[at] = re.sub(r" \}$", f" {fit} }}", FIT.sub("", self.lines[at]))

    def states(self, unit, field):
        """The figure without its fit, None when the file leaves it to its base."""
        at = self.find(unit, field + " {")
        line = FIT.sub("", self.lines[at]) if at is not None else ""
        return line if "value:" in line else None

    def set_param(self, unit, name, fit, bounds):
        at = self.find(unit, f'param {{ name: "{name}"')
        if at is None:
            low, high = bounds
            stated = f"min: {number(low)} max: {number(high)}"
            if name in OWN_PARAMS:
                stated = self.bounds.get((unit, name), stated)
            self.add(unit, f'  param {{ name: "{name}" {stated} fact {{ {fit} }} }}')
        else:
            self.lines[at] = re.sub(r" \} \}$", f" {fit} }} }}", FIT.sub("", self.lines[at]))

    def drop_fits(self, units, family, params):
        """Takes out the family's shared fits, this target's own ones, and those of `params` at every precision."""
        for unit in units:
            block = self.unit(unit)
            if block is None:
                continue
            kept = []
            for line in self.lines[block[0]:block[1]]:
                starts = [f"  {field} {{" for field in OWN_FIELDS]
                starts += [f'  param {{ name: "{name}"' for name in (*OWN_PARAMS, *params)]
                ours = f'shared_by: "{family}"' in line or line.startswith(tuple(starts))
                stripped = FIT.sub("", line) if ours else line
                if UNMEASURED not in line and (stripped == line or "value:" in stripped):
                    kept.append(stripped)
                elif found := re.search(r'param { name: "([^"]*)" (min: \S+ max: \S+)', line):
                    self.bounds[unit, found[1]] = found[2]
            self.lines[block[0]:block[1]] = kept

    def drop_evidence(self, units, family):
        """Takes out what measurements of the family cover, and the widths of its intervals."""
        for unit in units:
            block = self.unit(unit)
            if block is None:
                continue
            starts = ("  evidence {", f'  param {{ name: "{INTERVALS}')
            self.lines[block[0]:block[1]] = [
                line for line in self.lines[block[0]:block[1]]
                if not (line.startswith(starts) and f'shared_by: "{family}"' in line)]

    def write(self):
        self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def bases(files, file):
    while file.base in files:
        file = files[file.base]
        yield file


def restate_inherited(files, units, fitted):
    """A number of one device is not that of another that is based on it."""
    for file in files.values():
        for unit in units:
            for field in OWN_FIELDS:
                if is_inherited(file, files, unit, field, fitted) and file.states(unit, field) is None:
                    restate(file, list(bases(files, file)), unit, field, files)
            for name in OWN_PARAMS:
                if is_inherited(file, files, unit, name, fitted):
                    file.add(unit, f'  param {{ name: "{name}" {bounds_of(file, files, unit, name)} fact {{ value: 1 '
                                   f'source: "est" trust: DERIVED note: "{UNMEASURED}" }} }}')


def bounds_of(file, files, unit, name):
    """As the file stated them, else as the nearest of its bases does."""
    if (unit, name) in file.bounds:
        return file.bounds[unit, name]
    for base in bases(files, file):
        at = base.find(unit, f'param {{ name: "{name}"')
        if at is not None:
            return re.search(r"min: \S+ max: \S+", base.lines[at])[0]
    raise KeyError(f"{file.name}: no base states bounds of {name}")


def is_inherited(file, files, unit, name, fitted):
    start = f'param {{ name: "{name}"' if name in OWN_PARAMS else name + " {"
    if (file.name, unit, name) in fitted or file.find(unit, start) is not None:
        return False
    return any((base.name, unit, name) in fitted for base in bases(files, file))


def restate(file, chain, unit, field, files):
    origin = next((b for b in chain if b.states(unit, field) is not None), None)
    nearest = next((b for b in chain if b.find(unit, field + " {") is not None), None)
    if origin is None or nearest is None or not FIT.search(nearest.lines[nearest.find(unit, field + " {")]):
        return
    line = origin.states(unit, field)
    file.add(unit, line)
    key = re.search(r'source: "([^"]*)"', line)[1]
    for holder in [file, *bases(files, file)]:
        if any(text.startswith(f'sources {{ key: "{key}"') for text in holder.lines):
            return
    sys.exit(f"{file.path}: no source {key}")


def update_evidence(evidence, files, family):
    """Into the files that others of the family are based on."""
    members = [file for file in files.values() if file.family == family]
    for file in roots_of(members):
        for row in evidence:
            file.add(row["unit"], evidence_text(row))


def place_of(fit):
    """Unit and precision of a parameter."""
    parts = fit["path"].split("/")
    return parts[1], parts[-1].split(".")[-1]


def evidence_names(members):
    """What the measurements of a unit at a precision are called, where the files have evidence or intervals of them."""
    names = {}
    for file in members:
        unit = None
        for line in file.lines:
            unit = found[1] if (found := re.match(r'  name: "([^"]*)"', line)) else unit
            place = re.match(rf'  (?:evidence {{ precision: "|param {{ name: "{INTERVALS}[a-z_]*\.)([^"]*)"'
                             r'.* data: "([^"]*)"', line)
            if place:
                names[unit, place[1]] = place[2]
    return names


def roots_of(members):
    return [file for file in members if file.base not in {member.name for member in members}]


def update(fits, files, family, limits):
    units = sorted({fit["path"].split("/")[1] for fit in fits})
    params = sorted({fit["path"].split("/")[3].split(".")[0] for fit in fits if "/param/" in fit["path"]})
    members = [file for file in files.values() if file.family == family]
    roots = roots_of(members)
    for file in members:
        file.drop_fits(units, family, params)
    fitted = set()
    for fit in fits:
        parts = fit["path"].split("/")
        if parts[2] == "param":
            for file in roots if fit["target"] is None else [files[fit["target"]]]:
                file.set_param(parts[1], parts[3], fit_text(fit), limits[fit["target"], parts[3]])
        else:
            files[fit["target"]].set_fact(parts[1], parts[2], fit_text(fit))
        if fit["target"] is not None:
            fitted.add((fit["target"], parts[1], parts[-1]))
    restate_inherited(files, units, fitted)


def taken(arguments, flag):
    """Takes the flag with its value out of the arguments; None when it is not there."""
    if flag not in arguments[:-1]:
        return None
    at = arguments.index(flag)
    value = arguments[at + 1]
    del arguments[at:at + 2]
    return value


def main():
    arguments = sys.argv[1:]
    data, only = taken(arguments, "--data"), taken(arguments, "--only")
    if len(arguments) not in (1, 2) or only not in (None, "evidence"):
        sys.exit(__doc__)
    calibration = json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8"))
    folder = pathlib.Path(arguments[1]) if len(arguments) == 2 else DATA_DIR
    if calibration.get("kind") != "calibration":
        sys.exit(f"{arguments[0]}: no calibration")
    files = {}
    for path in sorted(folder.glob("*.textproto")):
        file = TargetFile(path)
        files[file.name] = file
    fits, evidence, family = calibration["fits"], calibration["evidence"], calibration["request"]["target"]
    members = [file for file in files.values() if file.family == family]
    if only is not None:
        names = evidence_names(members)
        fits = [fit for fit in fits if INTERVALS in fit["path"] and place_of(fit) in names]
        evidence = [row for row in evidence if (row["unit"], row["precision"]) in names]
        for row in evidence:
            row["data"] = data or names[row["unit"], row["precision"]]
        for fit in fits:
            fit["data"] = data or names[place_of(fit)]
    else:
        for row in [*fits, *evidence]:
            row["data"] = data or row["data"]
    limits = {(fit["target"], fit["path"].split("/")[-1]): (fit["min"], fit["max"]) for fit in fits}
    units = sorted({fit["path"].split("/")[1] for fit in fits} | {row["unit"] for row in evidence})
    for file in members:
        file.drop_evidence(units, family)
    if only is None:
        update(fits, files, family, limits)
    else:
        for file in roots_of(members):
            for fit in fits:
                file.set_param(fit["path"].split("/")[1], fit["path"].split("/")[3], fit_text(fit),
                               limits[fit["target"], fit["path"].split("/")[3]])
    update_evidence(evidence, files, family)
    for file in files.values():
        file.write()
    print(f"{len(fits)} fits and {len(evidence)} rows of evidence of {family} written")


if __name__ == "__main__":
    main()
