#!/usr/bin/env python3
"""Writes font_widths.inc: how far DejaVu Sans moves on after each character. Takes the package fonttools.

usage: make_font_widths.py DejaVuSans.ttf DejaVuSans-Bold.ttf > font_widths.inc
"""

import sys

from fontTools.ttLib import TTFont

RANGES = ((0x20, 0x52F), (0x2000, 0x22FF))  # Latin, Greek and Cyrillic; punctuation, units, arrows and signs


def runs_of(path):
    """(first code point, width in thousandths of the size) of runs of equal width. What the font lacks is square."""
    font, runs = TTFont(path), []
    glyphs, metrics, em = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    for first, last in RANGES:
        for point in range(first, last + 2):
            advance = metrics[glyphs[point]][0] if point <= last and point in glyphs else em
            width = round(advance * 1000 / em)
            if not runs or runs[-1][1] != width:
                runs.append((point, width))
    return runs


print("// Made by make_font_widths.py of DejaVu Sans 2.37. {first code point, width in thousandths of the size}")
for name, path in zip(("kRegular", "kBold"), sys.argv[1:], strict=True):
    runs = [f"{{{point}, {width}}}" for point, width in runs_of(path)]
    rows = ("    " + ", ".join(runs[i:i + 10]) + "," for i in range(0, len(runs), 10))
    print(f"constexpr Run {name}[] = {{", *rows, "};", sep="\n")
