"""What a board reports about itself during a measurement: name, power mode, clocks and power, where available."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import threading


def device_name(root: str = "/") -> str:
    """The board's name from the device tree, else the processor's, else nothing."""
    board = _text(root, "proc/device-tree/model") or _text(root, "sys/firmware/devicetree/base/model")
    if board:
        return board
    found = re.search(r"^model name\s*: (.+)$", _text(root, "proc/cpuinfo"), re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


# Words of a device tree, in lower case, that tell the target file of a board. The first that occurs counts.
TARGETS = (
    ("agx orin", "jetson-agx-orin-64gb"), ("orin nx", "jetson-orin-nx-16gb"), ("orin nano", "jetson-orin-nano-8gb"),
    ("agx thor", "jetson-agx-thor"), ("agx xavier", "jetson-agx-xavier"), ("xavier nx", "jetson-xavier-nx"),
    ("jetson-tx2", "jetson-tx2"), ("jetson tx2", "jetson-tx2"), ("jetson nano", "jetson-nano"),
    ("raspberry pi 5", "raspberry-pi-5"), ("raspberry pi 4", "raspberry-pi-4"),
    ("rockchip,rk3588", "rk3588"), ("rockchip,rk3576", "rk3576"), ("rockchip,rk3568", "rk3568"),
    ("rockchip,rk3566", "rk3566"), ("rockchip,rk3562", "rk3562"),
    ("ti,j721e", "tda4vm"), ("ti,j721s2", "am68a"), ("ti,j784s4", "am69a"), ("ti,j722s", "am67a"),
    ("ti,am62a7", "am62a"),
)
# Flags of an x86 processor, the widest first.
CPU_TARGETS = (("avx512f", "x86-avx512"), ("avx2", "x86-avx2"))


def target_name(root: str = "/") -> str:
    """The target file for this machine, if its device tree or its processor identifies one; else nothing."""
    tree = " ".join(_text(root, f"{folder}/{name}") for folder in ("proc/device-tree", "sys/firmware/devicetree/base")
                    for name in ("model", "compatible")).lower()
    found = re.search(r"^flags\s*: (.+)$", _text(root, "proc/cpuinfo"), re.MULTILINE)
    flags = found[1].split() if found else []
    return next((target for words, target in TARGETS if words in tree), "") or next(
        (target for flag, target in CPU_TARGETS if flag in flags), "")


def power_mode() -> str:
    """The power mode that nvpmodel reports on a Jetson, "" elsewhere."""
    return read_nvpmodel(_output("nvpmodel", "-q"))


def read_nvpmodel(text: str) -> str:
    """Parses `nvpmodel -q`, which prints NV Power Mode: MAXN, and the mode's number below."""
    found = re.search(r"Power Mode:\s*(\S+)", text)
    return found[1].removeprefix("MODE_") if found else ""


def clocks(root: str = "/") -> str:
    """Clocks and governors of processors and of devfreq devices, e.g. `cpu0-3 performance 1.80 GHz`."""
    parts = []
    policies = sorted(glob.glob(os.path.join(root, "sys/devices/system/cpu/cpufreq/policy*")), key=_number_at_end)
    for policy in policies:
        folder = os.path.relpath(policy, root)
        cpus = "cpu" + _span(_text(root, f"{folder}/related_cpus"))
        governor, now = _text(root, f"{folder}/scaling_governor"), _text(root, f"{folder}/scaling_cur_freq")
        parts.append(_clock(cpus, governor, now, 1e3))
    for device in sorted(glob.glob(os.path.join(root, "sys/class/devfreq/*"))):
        folder = os.path.relpath(device, root)
        governor, now = _text(root, f"{folder}/governor"), _text(root, f"{folder}/cur_freq")
        parts.append(_clock(os.path.basename(device), governor, now, 1))
    return ", ".join(part for part in parts if part)


def read_tegrastats(lines: list[str]) -> tuple[float | None, str]:
    """Mean watts of the whole input, if the board has a rail for it, and the means of all rails as text."""
    rails: dict[str, list[float]] = {}
    for line in lines:
        for name, now in re.findall(r"\b([A-Z][A-Z0-9_]*) (\d+)(?:mW)?/\d+(?:mW)?(?= |$)", line):
            if name not in ("RAM", "SWAP", "IRAM"):
                rails.setdefault(name, []).append(int(now) / 1e3)
    means = {name: sum(values) / len(values) for name, values in rails.items()}
    total = next((means[name] for name in ("VDD_IN", "POM_5V_IN") if name in means), None)
    return total, ", ".join(f"{name} {watts:.2f} W" for name, watts in means.items())


class Power:
    """Watches power rails during a run: tegrastats on a Jetson, else hwmon sensors in watts."""

    def __init__(self, root: str = "/") -> None:
        self._root = root
        self._process: subprocess.Popen[str] | None = None
        self._sensors = sorted(glob.glob(os.path.join(root, "sys/class/hwmon/*/power*_input")))
        self._samples: dict[str, list[float]] = {}
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.watts: float | None = None
        self.rails = ""

    def __enter__(self) -> Power:
        if shutil.which("tegrastats"):
            self._process = subprocess.Popen(["tegrastats", "--interval", "200"], stdout=subprocess.PIPE, text=True,
                                             stderr=subprocess.DEVNULL)
        elif self._sensors:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self.watts, self.rails = read_tegrastats(self._process.communicate()[0].splitlines())
        if self._thread is not None:
            self._ended.set()
            self._thread.join()
            self.rails = ", ".join(f"{name} {sum(watts) / len(watts):.2f} W" for name, watts in self._samples.items())

    def _watch(self) -> None:
        while True:
            for sensor in self._sensors:
                microwatts = _text("/", sensor)
                if microwatts.isdigit():
                    name = _text("/", os.path.join(os.path.dirname(sensor), "name")) or os.path.basename(sensor)
                    self._samples.setdefault(name, []).append(int(microwatts) / 1e6)
            if self._ended.wait(0.2):
                return


def _text(root: str, path: str) -> str:
    try:
        with open(os.path.join(root, path.lstrip("/")), encoding="utf-8", errors="replace") as file:
            return file.read().replace("\0", " ").strip()
    except OSError:
        return ""


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _clock(name: str, governor: str, frequency: str, unit_hz: float) -> str:
    if not frequency.isdigit():
        return ""
    return " ".join(part for part in (name, governor, f"{int(frequency) * unit_hz / 1e9:.2f} GHz") if part)


def _span(cpus: str) -> str:
    numbers = cpus.split()
    return "" if not numbers else numbers[0] if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _number_at_end(path: str) -> int:
    found = re.search(r"\d+$", path)
    return int(found[0]) if found else 0
