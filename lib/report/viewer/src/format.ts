// Figures as the other reports print them: four significant digits and an SI prefix.
import type { Cell } from "./data.js";

const kPrefixes: [number, string][] = [
  [1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"],
  [1, ""], [1e-3, "m"], [1e-6, "u"], [1e-9, "n"], [1e-12, "p"],
];

export const kUnknown = "unknown";

// As C's printf: what lies half way goes to the even digit.
export function fixed(value: number, decimals: number): string {
  const power = 10 ** decimals;
  const scaled = Math.abs(value) * power;
  const below = Math.floor(scaled);
  const isTie = scaled - below === 0.5 && (below + 0.5) / power === Math.abs(value);
  if (!isTie) return value.toFixed(decimals);
  return ((Math.sign(value) * (below % 2 === 0 ? below : below + 1)) / power).toFixed(decimals);
}

function scaled(value: number, unit: string, smallest: number): string {
  const size = Math.abs(value);
  let chosen = kPrefixes[0]!;
  for (const prefix of kPrefixes) {
    if (prefix[0] < smallest) break;
    chosen = prefix;
    if (size >= prefix[0] * 0.99995) break;
  }
  const shown = value / chosen[0];
  const at = Math.abs(shown);
  return `${fixed(shown, at < 9.9995 ? 3 : at < 99.995 ? 2 : 1)} ${chosen[1]}${unit}`.trimEnd();
}

function continuous(value: number, unit: string): string {
  if (!Number.isFinite(value)) return kUnknown;
  return value === 0 ? `0 ${unit}` : scaled(value, unit, 1e-12);
}

function whole(value: number, unit: string): string {
  if (!Number.isFinite(value)) return kUnknown;
  return Math.abs(value) < 999.5 ? `${fixed(value, 0)} ${unit}`.trimEnd() : scaled(value, unit, 1e3);
}

// Of round figures, such as those of axes: "2 ms", not "2.000 ms".
export const short = (figure: string): string => figure.replace(/(\.\d*?)0+(?= |$)/, "$1").replace(/\.(?= |$)/, "");
export function seconds(value: number): string {
  const size = Math.abs(value);
  if (!(size >= 300) || size === Infinity) return continuous(value, "s");
  const [shown, unit] = size >= 7200 ? [value / 3600, "h"] : [value / 60, "min"];
  return `${Math.abs(shown) < 99.95 ? Number(shown.toPrecision(3)) : fixed(shown, 0)} ${unit}`;
}
export const joules = (value: number): string => continuous(value, "J");
export const watts = (value: number): string => (Number.isFinite(value) ? `${Number(value.toPrecision(3))} W`
                                                 : kUnknown);
export const bytes = (value: number): string => whole(value, "B");
export const count = (value: number): string => whole(value, "");
export const kNoKernel = "no kernel needed";
// "1,144"
export const grouped = (text: string): string =>
  text.replace(/(?<![\w.,-])\d{4,}(?![\w*])/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
export const plain = (value: number): string => (Number.isFinite(value) ? grouped(String(value)) : kUnknown);
export const ratio = (value: number): string => (Number.isFinite(value) ? significant(value) : kUnknown);
export const intensity = (value: number): string =>
  Number.isFinite(value) ? `${significant(value)} FLOP/B` : kUnknown;
export const flopRate = (value: number): string => continuous(value, "FLOP/s");
export const byteRate = (value: number): string => continuous(value, "B/s");

// A total that may leave out what is unknown.
export const atLeast = (figure: string, known: number, isPartial: boolean): string =>
  !isPartial ? figure : known > 0 ? `at least ${figure}` : kUnknown;
// Of a whole that is known.
export const shareOf = (part: number, whole: number): string => (whole > 0 ? percent(part / whole) : "-");

// printf's %.4g for what people look at: no exponent below a million.
export function significant(value: number): string {
  if (value === 0) return "0";
  return String(Number(value.toPrecision(4)));
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return kUnknown;
  if (share > 0 && share < 0.001) return "<0.1 %";
  if (share === 1) return "100 %";
  // A rounded 100.0 would claim completeness.
  return `${fixed(share < 1 ? Math.min(share * 100, 99.9) : share * 100, 1)} %`;
}

export const rate = (perSecond: number): string =>
  !Number.isFinite(perSecond) ? kUnknown : perSecond < 999.5 ? significant(perSecond)
    : grouped(fixed(perSecond, 0));

// How far figures can be trusted, the best first.
export const kGrades: { [grade: string]: string } = {
  measured: "fitted to this device", family: "fitted to its family", datasheet: "from data sheets",
  assumed: "on assumed efficiencies",
};

export const numberOf = (cell: Cell | undefined): number => (typeof cell === "number" ? cell : NaN);
export const textOf = (cell: Cell | undefined): string =>
  cell === null || cell === undefined ? "" : typeof cell === "string" ? cell : JSON.stringify(cell);

// A count that may be a formula over symbols.
export const countOf = (cell: Cell | undefined): string =>
  typeof cell === "string" ? cell : count(numberOf(cell));

// "1.814 GMACs", "12 MACs", a formula and then the unit.
export function withUnit(cell: Cell | undefined, unit: string): string {
  const text = countOf(cell);
  return typeof cell === "number" && text.includes(" ") ? `${text}${unit}` : `${text} ${unit}`;
}

export function shapeOf(dims: Cell | undefined): string {
  if (!Array.isArray(dims)) return "?";
  if (dims.length === 0) return "scalar";
  const texts = dims.map((dim) => (dim === null ? "?" : String(dim)));
  return dims.every((dim) => typeof dim === "number") ? texts.join("x") : `[${texts.join(", ")}]`;
}
