// What the tests of HTML reports share: a browser, pages of reports, and reading figures off them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const viewer = join(root, "lib/report/viewer");
const kSkipped = 77;

export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(kSkipped);
}

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/chromium-headless-shell", "/usr/bin/google-chrome"];
const executablePath = [process.env.HWEST_CHROMIUM, ...browsers].find((path) => path && existsSync(path));
if (executablePath === undefined) skip("no Chromium: cmake/setup.sh --tests installs it, or HWEST_CHROMIUM names one");
if (!existsSync(join(viewer, "node_modules/playwright-core"))) skip("no playwright-core: cmake/setup.sh --tests fetches it");

const require = createRequire(join(viewer, "package.json"));
const { chromium } = require("playwright-core");
export const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const program = process.env.HWEST_PROGRAM ?? join(root, "build/onnx-hwest");
export const scratch = mkdtempSync(join(tmpdir(), "hwest-viewer-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export const run = (command, ...args) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

// The report of a command as a page and as the JSON document.
export function report(name, ...args) {
  const path = join(scratch, `${name}.html`);
  run(program, ...args, "--output", path);
  return { path, url: pathToFileURL(path).href, document: JSON.parse(run(program, ...args, "--json")) };
}

let browser = null;
// A page that counts what it asks for and what goes wrong.
export async function blank(options = {}) {
  browser ??= await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
  });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
  page.requests = [];
  page.problems = [];
  page.on("request", (request) => page.requests.push(request.url()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("dialog", (dialog) => (page.problems.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  return page;
}
// The page of a report.
export async function open(url, options = {}) {
  const page = await blank(options);
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "1");
  return page;
}
export const close = () => browser?.close();

export const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
export const details = (page) => page.getByRole("region", { name: "Details" });
export const heading = (page) => details(page).locator("h2").textContent();
export async function search(page, text) {
  const box = page.getByRole("searchbox", { name: "Search" });
  await box.fill(text);
  await box.press("Enter");
}

const kPrefixes = { p: 1e-12, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
const kFigure = /^(-?[\d.]+) ?([pnumkMGTPE]?)(s|J|B|W|FLOP\/B|)$/;

// Whether a text says a figure: as exactly as its digits let it.
export function says(text, figure) {
  if (figure === null) return text === "unknown" || text === "-";
  const [, digits, prefix] = kFigure.exec(text.trim()) ?? assert.fail(`"${text}" is no figure`);
  const scale = prefix === "" ? 1 : kPrefixes[prefix];
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
