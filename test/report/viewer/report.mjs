// What tests of HTML reports share whatever the browser: reports of commands, and reading figures off them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const kSkipped = 77;

export function skip(reason) {
  console.log(`DID NOT RUN: ${reason}`);
  process.exit(kSkipped);
}

export const program = process.env.HWEST_PROGRAM ?? join(root, "build/onnx-hwest");
export const scratch = mkdtempSync(join(tmpdir(), "hwest-viewer-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export const run = (command, ...args) => execFileSync(command, args,
    { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

// The report of a command as a page and as the JSON document.
export function report(name, ...args) {
  const path = join(scratch, `${name}.html`);
  run(program, ...args, "--output", path);
  return { path, url: pathToFileURL(path).href, document: JSON.parse(run(program, ...args, "--json")) };
}

const kPrefixes = { p: 1e-12, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
const kFigure = /^(-?[\d.]+) ?([pnumkMGTPE]?)(s|J|B|W|FLOP\/B|min|h|)$/;
const kLong = { min: 60, h: 3600 };
// "1,144" as "1144"
export const ungrouped = (text) => text.replace(/(\d),(?=\d{3})/g, "$1");

// Whether a text says a figure: as exactly as its digits let it.
export function says(text, figure) {
  if (figure === null) return text === "unknown" || text === "-";
  const [, digits, letter, rest] = kFigure.exec(ungrouped(text.trim())) ?? assert.fail(`"${text}" is no figure`);
  const unit = letter + rest, prefix = unit === "min" ? "" : letter;
  const scale = kLong[unit] ?? (prefix === "" ? 1 : kPrefixes[prefix]);
  const last = digits.includes(".") ? 10 ** -(digits.length - digits.indexOf(".") - 1) : 1;
  return Math.abs(Number(digits) * scale - figure) <= 0.5001 * last * scale;
}
export function assertSays(text, figure, what) {
  assert.ok(says(text, figure), `${what}: the page says "${text}", the document ${figure}`);
}
export function saysShare(text, share) {
  if (text === "<0.1 %") return share < 0.001;
  if (text === "99.9 %") return share >= 0.9985 && share <= 1;
  return Math.abs(Number(text.replace(" %", "")) - share * 100) <= 0.05001;
}
