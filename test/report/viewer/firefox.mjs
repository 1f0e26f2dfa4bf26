// Firefox by WebDriver BiDi, which it speaks itself: Playwright needs a Firefox of its own making.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./report.mjs";

const paths = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
export const firefox = [process.env.HWEST_FIREFOX, ...paths].find((path) => path && existsSync(path));
const require = createRequire(join(root, "lib/report/viewer/package.json"));

// What it must not do while a test counts requests.
const kPreferences = {
  "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false,
  "browser.newtabpage.enabled": false, "app.update.enabled": false, "remote.active-protocols": 1,
};

const kPatience_ms = 60000;

export class Firefox {
  #next = 0;
  #waiting = new Map();
  requests = [];
  problems = [];

  static async start() {
    const browser = new Firefox();
    browser.profile = mkdtempSync(join(tmpdir(), "hwest-firefox-"));
    const lines = Object.entries(kPreferences).map(([key, value]) => `user_pref("${key}", ${value});\n`);
    writeFileSync(join(browser.profile, "user.js"), lines.join(""));
    browser.process = spawn(firefox, ["--headless", "--no-remote", "--profile", browser.profile,
                                      "--remote-debugging-port", "0"],
      { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: browser.profile } });
    const address = await new Promise((resolve, reject) => {
      let said = "";
      browser.process.stderr.on("data", (text) => {
        said += text;
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
        if (found) resolve(found[1]);
      });
      browser.process.on("exit", () => reject(new Error(`Firefox ended: ${said}`)));
    });
    const { ws: WebSocket } = require("playwright-core/lib/utilsBundle");
    browser.socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => browser.socket.on("open", resolve).on("error", reject));
    browser.socket.on("message", (text) => browser.#hear(JSON.parse(text)));
    await browser.send("session.new", { capabilities: {} });
    await browser.send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
    const tree = await browser.send("browsingContext.getTree", {});
    browser.context = tree.contexts[0].context;
    await browser.send("browsingContext.setViewport", { context: browser.context,
      viewport: { width: 1400, height: 900 } });
    return browser;
  }
  #hear({ id, result, error, message, method, params }) {
    if (method === "network.beforeRequestSent") this.requests.push(params.request.url);
    if (method === "log.entryAdded" && params.level === "error") this.problems.push(params.text);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) error ? waiting.reject(new Error(`${error}: ${message}`)) : waiting.resolve(result);
  }
  send(method, params) {
    const id = ++this.#next;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async open(url) {
    this.requests.length = this.problems.length = 0;
    await this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
    await this.until(() => document.documentElement.dataset.ready === "1");
  }
  // The value of a function that is called in the page with texts.
  async evaluate(call, ...texts) {
    const found = await this.send("script.callFunction", {
      functionDeclaration: String(call), awaitPromise: true, target: { context: this.context },
      arguments: texts.map((value) => ({ type: "string", value })),
    });
    if (found.type === "exception") throw new Error(found.exceptionDetails.text);
    return found.result.value;
  }
  async until(call, ...texts) {
    for (const end = Date.now() + kPatience_ms; Date.now() < end;) {
      if (await this.evaluate(call, ...texts)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`this never became true: ${call}`);
  }
  // Keys by their names in WebDriver, each pressed and let go.
  async press(...keys) {
    const actions = keys.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await this.send("input.performActions", { context: this.context,
      actions: [{ type: "key", id: "keyboard", actions }] });
  }
  async screenshot(path) {
    const { data } = await this.send("browsingContext.captureScreenshot", { context: this.context });
    writeFileSync(path, Buffer.from(data, "base64"));
  }
  async stop() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.send("browser.close", {}).catch(() => {});
    const late = setTimeout(() => this.process.kill(), 10000);
    await ended;
    clearTimeout(late);
    rmSync(this.profile, { recursive: true, force: true });
  }
}
