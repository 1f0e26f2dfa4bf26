// What the tests of HTML reports in Chromium share: the browser, and pages of reports.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root, skip } from "./report.mjs";

export * from "./report.mjs";

const viewer = join(root, "lib/report/viewer");
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/chromium-headless-shell",
                  "/usr/bin/google-chrome"];
const executablePath = [process.env.HWEST_CHROMIUM, ...browsers].find((path) => path && existsSync(path));
if (executablePath === undefined) skip("no Chromium: cmake/setup.sh --tests installs it, or HWEST_CHROMIUM names one");
if (!existsSync(join(viewer,
                     "node_modules/playwright-core"))) skip("no playwright-core: cmake/setup.sh --tests fetches it");

const require = createRequire(join(viewer, "package.json"));
const { chromium } = require("playwright-core");
export const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

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
