// Tables whose heads sort them, by what figures are worth or by letters.
import { button, h } from "./dom.js";

const kPrefixes: { [prefix: string]: number } = {
  p: 1e-12, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18,
};
const kFigure = /^(?:[<>]=? ?|≥ ?|at (?:least|most) |would be )?([+−-]?)([\d,]*\.?\d+(?:e[+-]?\d+)?) ?(\S*)(?: .*)?$/;
const kNothing = ["", "-", "unknown"];

// What a printed figure is worth: "1.5 ms", ">= 20 us", "1,144", "12.3 %", "31 min", "+0.5 GB/s"; NaN = it is none.
export function worth(text: string): number {
  if (text === "=") return 0;
  const [, sign, digits, unit] = kFigure.exec(text) ?? [];
  if (digits === undefined) return NaN;
  const value = Number(digits.replaceAll(",", "")) * (sign === "-" || sign === "−" ? -1 : 1);
  if (!unit || unit === "%") return value;
  if (unit === "min") return value * 60;
  if (unit === "h") return value * 3600;
  if (!/^[A-Za-z/]/.test(unit)) return NaN;
  const prefix = /^([pnumkMGTPE])(?=[A-Za-z])/.exec(unit)?.[1];
  return value * (kPrefixes[prefix ?? unit] ?? 1);
}

const textOf = (row: HTMLTableRowElement, column: number): string => row.cells[column]?.textContent?.trim() ?? "";

// Figures, then words; what is unknown last either way.
function sort(body: HTMLTableSectionElement, column: number, isDown: boolean): void {
  const keyed = [...body.rows].map((row) => {
    const text = textOf(row, column), key = worth(text);
    return { row, text, key, rank: !Number.isNaN(key) ? 0 : kNothing.includes(text) ? 2 : 1 };
  });
  const sign = isDown ? -1 : 1;
  keyed.sort((a, b) => a.rank - b.rank || sign * (a.rank === 0 ? a.key - b.key : a.text.localeCompare(b.text)));
  body.append(...keyed.map(({ row }) => row));
}

export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0]!, heads = [...table.tHead!.rows[0]!.cells];
  heads.forEach((cell, column) => {
    const texts = [...body.rows].map((row) => textOf(row, column)).filter((text) => !kNothing.includes(text));
    const isNumber = texts.length > 0 && texts.every((text) => !Number.isNaN(worth(text)));
    for (const own of isNumber ? [cell, ...[...body.rows].map((row) => row.cells[column])] : []) {
      own?.classList.add("number");
    }
    cell.setAttribute("scope", "col");
    const label = cell.textContent ?? "";
    if (label === "") cell.replaceWith(h("td")); // heads nothing
    if (label === "" || body.rows.length < 2) return;
    cell.replaceChildren(button(label, { title: `Sort by ${label}` }, () => {
      const isDown = cell.getAttribute("aria-sort") === null ? isNumber
        : cell.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      sort(body, column, isDown);
    }));
  });
}
