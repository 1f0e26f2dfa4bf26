"""What rounding alone does to the results of two files: choices that it turns, and how far it carries.

Asked for where results differ by more than their class allows. A choice that the second file makes otherwise, among
inputs that are the same, is replaced by that of the first. What the first file does to a rounding is seen by moving its
inputs and weights by one each: a network with large activations before a Sigmoid moves by a thousand times as much.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from ._verify_choices import choices_of, chooses, chosen_by, constants_of, reads_of

DRAWS = 3  # of roundings
FACTOR = 10.0  # a rewrite rounds some times more, and a few draws do not find the worst
MOST = 0.01  # relative difference that is not put down to rounding


class Rounding:
    """One run of two files. `given` holds the choices of the first one that the second one was given."""

    def __init__(self, comparison: Any, run: int) -> None:
        self.comparison, self.run = comparison, range(run, run + 1)
        self.given: dict[str, Any] = {}
        self._chosen: dict[str, Any] = {}  # all choices of the first file
        self._moves: dict[str, float] = {}

    def moves(self, name: str) -> float | None:
        """The largest relative difference of the first file from itself, where it was measured."""
        return self._moves.get(name)

    def allowed(self, name: str) -> float:
        """The relative difference that a value may have."""
        if self.comparison.arguments.tolerance is not None:
            return float(self.comparison.allowed)
        return max(self.comparison.allowed, min(FACTOR * self._moves.get(name, 0.0), MOST))

    def is_told(self, name: str) -> bool:
        """Whether a difference of it would be one of the files."""
        return FACTOR * self._moves.get(name, 0.0) <= MOST

    def is_same(self, name: str, first: Any, second: Any) -> bool:
        """Of two contents of a value that has this name in the first file."""
        return bool(self.comparison.difference(first, second, self.allowed(name))[2])

    def _is_same_choice(self, name: str, first: Any, second: Any) -> bool:
        """A step of integers is another choice, though it is allowed of results."""
        return self.is_same(name, first, second) and (
            is_float(first) or bool(import_module("numpy").array_equal(first, second)))

    def measure(self, names: list[str]) -> None:
        """Finds how far rounding carries to values of the first file; its choices stay."""
        names = [name for name in names if name not in self._moves and name not in self._chosen]
        extra = [name for name in names if name not in self.comparison.first.outputs]
        before = self._computed(0, extra)
        for draw in range(DRAWS):
            moved = self._computed(0, extra, self._chosen, draw)
            for name in {*names, *self.comparison.first.outputs}:
                relative = self.comparison.difference(before[name], moved[name], 0.0)[1]
                found = math.inf if relative is None else relative
                self._moves[name] = max(self._moves.get(name, 0.0), found)

    def _computed(self, side: int, extra: list[str], given: dict[str, Any] | None = None,
                  draw: int | None = None) -> dict[str, Any]:
        file = (self.comparison.first, self.comparison.second)[side]
        found: dict[str, Any] = self.comparison.results(file, self.run, extra, given, draw)[0]
        return found

    def _inner(self, side: int, names: list[str]) -> list[str]:
        """Those of the names that a session returns only if it is asked to."""
        file = (self.comparison.first, self.comparison.second)[side]
        inner = set(file.made()) - set(file.outputs)
        return [name for name in dict.fromkeys(names) if name in inner]

    def settle(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """What the second file computes with the choices of the first one where rounding alone turned its own. Adds a
        row for each new one."""
        first, second = self.comparison.first, self.comparison.second
        array, feeds = import_module("numpy").ndarray, self.comparison.feeds(self.run[0])
        nodes = [node for node in first.model.graph.node if chooses(node)]
        reads = {id(node): [name for name, _ in reads_of(node, node)] for node in nodes}
        names = [name for node in nodes for name in [*reads[id(node)], *chosen_by(node)]]
        before = {**feeds, **self._computed(0, self._inner(0, names))}
        nodes = [node for node in nodes if any(is_float(before.get(name)) for name in reads[id(node)])]
        self._chosen = {name: before[name] for node in nodes for name in chosen_by(node)
                        if isinstance(before.get(name), array)}
        self.measure(self._inner(0, [name for node in nodes for name in reads[id(node)]]))
        pairs = choices_of(nodes, second.model)
        both = [list(reads_of(one, two)) for one, two in pairs]
        wanted = [name for pair in both for _, name in pair] + [name for one, _ in pairs for name in chosen_by(one)]
        constants = [constants_of(file.model, file.arrays) for file in (first, second)]

        def value(name: str, side: int, found: dict[str, Any]) -> Any:
            return found[name] if name in found else constants[side](name)
        while True:
            extra = [name for name in self._inner(1, wanted) if name not in self.given]
            after = self._computed(1, extra, self.given)
            known, turned = {**feeds, **after}, []
            for (one, _), each in zip(pairs, both):
                others = [name for name in chosen_by(one) if name in self._chosen and name not in self.given
                          and not self._is_same_choice(name, before[name], after[name])]
                if others and all(self.is_same(a, value(a, 0, before), value(b, 1, known)) for a, b in each):
                    turned += others
                    add_choices(rows, one.op_type, {name: (before[name], after[name]) for name in others})
            if not turned:
                return after
            self.given.update({name: before[name] for name in turned})


def is_float(array: Any) -> bool:
    return getattr(array, "dtype", None) is not None and array.dtype.kind == "f"


def moved_by_rounding(arrays: dict[str, Any], source: Any) -> dict[str, Any]:
    """The arrays with each number, of those that are floating point, moved by a rounding, up or down."""
    numpy = import_module("numpy")

    def moved(array: Any) -> Any:
        if not is_float(array):
            return array
        step = numpy.finfo(array.dtype).eps
        ways = source.choice(numpy.array([1 - step, 1 + step], array.dtype), array.shape)
        return numpy.multiply(array, ways, dtype=array.dtype)
    return {name: moved(array) for name, array in arrays.items()}


def add_choices(rows: list[dict[str, Any]], operator: str, turned: dict[str, tuple[Any, Any]]) -> None:
    """A row for each value that is chosen: elements of it, and how many are others, all where there are more or less.
    Of several runs the one with most."""
    for name, (one, two) in turned.items():
        changed = int((one != two).sum()) if one.shape == two.shape else max(one.size, two.size)
        row = {"name": name, "operator": operator, "changed": changed, "elements": max(one.size, two.size)}
        known = next((each for each in rows if each["name"] == name), None)
        if known is None:
            rows.append(row)
        elif row["changed"] > known["changed"]:
            known.update(row)
