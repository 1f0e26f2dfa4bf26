"""Writes fitted constants of language-model runtimes into toolchain and target files, one line a constant."""

import re

DATA = "published rows of language models"
OLDER = "openvino-genai-2024"  # a release whose rows are fitted with those of a later one
SPREADS = {"token": "decode_spread", "prompt": "prompt_spread"}


def number(value):
    return f"{value:.4g}".replace("e+", "e").replace("e-0", "e-")


def line(name, low, high, value, spread, count, shared_by=None):
    shared = f' shared_by: "{shared_by}"' if shared_by else ""
    fit = f'fit {{ value: {number(value)} spread: {number(spread)} count: {count} data: "{DATA}"{shared} }}'
    return f'  constant {{ name: "{name}" min: {number(low)} max: {number(high)} fact {{ {fit} }} }}'


def put(block, lines, is_part):
    """Lines of a block, with these constants in place of those of their names and of all that were fitted before."""
    names = {re.search(r'name: "([^"]+)"', text).group(1) for text in lines}
    kept = [text for text in block if not any(f'constant {{ name: "{name}"' in text for name in names)
            and (is_part or DATA not in text)]
    return kept[:-1] + lines + kept[-1:]


def blocks(lines, head):
    """First and last line of each block that starts so in column 0."""
    for start, text in enumerate(lines):
        if text.startswith(head):
            end = start if text.rstrip().endswith("}") else lines.index("}", start)
            yield start, end


def opened(block):
    """A block of one line, as several."""
    if len(block) > 1:
        return block
    inner = re.match(r"runtime \{ (.*) \}$", block[0]).group(1)
    return ["runtime {", *[f"  {field}" for field in re.findall(r'\w+: (?:\[[^\]]*\]|"[^"]*"|\S+)', inner)], "}"]


def edit(path, head, mark, lines, is_part=False):
    text = path.read_text(encoding="utf-8").splitlines()
    for start, end in blocks(text, head):
        block = text[start:end + 1]
        if mark in "\n".join(block):
            text[start:end + 1] = put(opened(block), lines, is_part)
            path.write_text("\n".join(text) + "\n", encoding="utf-8")
            return True
    return False


def spread_names(kind, fit, is_part):
    """Of a part of the formats, a spread each."""
    if not is_part:
        return [SPREADS[kind]]
    return sorted({f"{SPREADS[kind]}.{row.format.name}" for row in fit.rows})


def state_line(kind, fit, by, count, shared_by=None):
    spread = fit.state_spread.get(by)
    if kind == "prompt" and spread is not None:
        yield line("prompt_state_spread", 0.001, 3, min(max(spread, 0.05), 3), spread, count, shared_by)


def shared_lines(results, is_part):
    for kind, fit in results.items():
        count, spread = len(fit.rows), fit.spread["device"]
        for name in fit.names:
            free = fit.constants[name]
            if "_old_" in name:
                continue
            yield line(name, free.low, free.high, fit.value(name), spread, count, "runtime")
        for name, free in fit.constants.items():
            if not hasattr(free, "start") and kind == "prompt":
                yield line(name, 0.001, 1.5, free, spread, count, "runtime")
        for name in spread_names(kind, fit, is_part):
            yield line(name, 0.001, 3, max(spread, 0.05), spread, count, "runtime")
        yield from state_line(kind, fit, "device", count, "runtime")


def older_lines(results):
    """A release with fixed costs of its own: those of the later one and what it adds."""
    for kind, fit in results.items():
        old = {"token": "decode_old_s", "prompt": "prompt_old_s"}[kind]
        if old not in fit.names:
            continue
        name = {"token": "decode_fixed_s", "prompt": "prompt_fixed_s"}[kind]
        value = fit.value(old) + (fit.value(name) if name in fit.names else 0)
        count = sum(row.old for row in fit.rows)
        yield line(name, 0, 1, value, fit.spread["device"], count, "runtime")


def has_rate(fit, device, name):
    """Whether the device computes in the activations of the format behind the dot of a constant."""
    acts = {row.format.act for row in fit.rows if row.format.name == name.split(".", 1)[1]}
    chip = next(row.chip for row in fit.rows if row.device == device)
    return any(act in chip or act == "warp16" for act in acts)


def own_lines(results, device, least, is_part):
    for kind, fit in results.items():
        count = sum(row.device == device for row in fit.rows)
        if count < least:
            continue
        spread = fit.spread["model"]
        for name in fit.names:
            if (name, device) in fit.own:
                free = fit.constants[name]
                yield line(name, free.low, free.high, fit.value(name, device), spread, count)
            elif "." in name and (name.split(".")[0], device) in fit.own and has_rate(fit, device, name):
                # A device's constant for all formats would hide the shared one of this format.
                free = fit.constants[name]
                yield line(name, free.low, free.high, fit.value(name), spread, count, "runtime")
        for name in spread_names(kind, fit, is_part):
            yield line(name, 0.001, 3, max(spread, 0.05), spread, count)
        yield from state_line(kind, fit, "model", count)


def write(root, name, results, targets, least):
    """`name` is that of a toolchain; one behind a comma stands for a part of its formats."""
    runtime, is_part = name.split(",")[0], "," in name
    shared = list(shared_lines(results, is_part))
    if shared and not edit(root / "toolchain" / f"{runtime}.textproto", "language {", "title", shared, is_part):
        print(f"  {runtime}: no toolchain file")
    older = list(older_lines(results))
    if older:
        edit(root / "toolchain" / f"{OLDER}.textproto", "language {", "title", older)
    devices = {device for fit in results.values() for device in (row.device for row in fit.rows)}
    for device in sorted(devices & set(targets)):
        own = list(own_lines(results, device, least, is_part))
        path = root / "data" / f"{targets[device]}.textproto"
        if own and not edit(path, "runtime {", f'toolchain: "{runtime}"', own, is_part):
            print(f"  {runtime}: no runtime in {path.name}")
        if own and older:  # what a device does is no matter of the release
            edit(path, "runtime {", f'toolchain: "{OLDER}"', own)
