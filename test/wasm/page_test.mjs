// The page of dist/web in Chromium, opened from the disk: a dropped file gives the native program's report, byte for
// byte, without a request; times of the first and of later answers.
//
//   HWEST_PROGRAM=build/onnx-hwest HWEST_WEB=dist/web node page_test.mjs
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { axeSource, blank, close, program, root, scratch, skip } from "../report/viewer/browser.mjs";

const web = resolve(process.env.HWEST_WEB ?? join(root, "dist/web"));
if (!existsSync(join(web, "program.js"))) skip(`no page in ${web}: cmake/wasm.sh builds it`);
const model = process.env.HWEST_MODEL ?? join(root, "test/models/mobilenet_v2.ts.onnx");
const place = join(scratch, "web");
mkdirSync(place, { recursive: true });
after(close);

const native = (args, cwd = join(model, "..")) => {
  const { status, stdout, stderr } = spawnSync(resolve(program), args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  assert.equal(status, 0, stderr);
  return stdout;
};
const same = (one, two) => {
  const at = [...one].findIndex((letter, i) => letter !== two[i]);
  assert.ok(one === two, `from ${at} on: ${one.slice(at, at + 80)} and ${two.slice(at, at + 80)}`);
};
const status = (page) => page.locator("#say");
const done = (page, name) => page.waitForFunction(
    (text) => document.querySelector("#say").textContent.startsWith(`${text}: `) &&
        / ms\.$/.test(document.querySelector("#say").textContent),
    name, { timeout: 60000 });

async function opened(name = "index.html") {
  const page = await blank({ bypassCSP: false });
  await page.goto(pathToFileURL(join(web, name)).href);
  return page;
}

// A real event with a real file, as a drop on the page makes it.
async function drop(page, path) {
  await page.locator("#files").setInputFiles([]);
  const held = await page.evaluateHandle(() => {
    const input = document.createElement("input");
    input.type = "file";
    document.body.append(input);
    return input;
  });
  await held.asElement().setInputFiles(path);
  await held.evaluate((input) => {
    const carried = new DataTransfer();
    carried.items.add(input.files[0]);
    input.remove();
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
  });
}

// What the report's element shows; the page itself may not fetch, so the text is taken from where it was made.
async function reports(page) {
  return page.evaluate(() => Promise.all(globalThis.made.map((blob) => blob.text())));
}
const keep = (page) => page.addInitScript(() => {
  globalThis.made = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    if (blob.type === "text/html") globalThis.made.push(blob);
    return make(blob);
  };
});

test("a dropped file gives the native report, and nothing leaves the machine", async () => {
  const page = await blank();
  await keep(page);
  await page.goto(pathToFileURL(join(web, "index.html")).href);
  const begin = performance.now();
  await drop(page, model);
  await done(page, basename(model));
  const first = performance.now() - begin;
  const [html] = await reports(page);
  same(html, native([basename(model), "--target", "jetson-orin", "--format", "html"]));
  await page.frameLocator("#report").locator("main").waitFor();
  const again = performance.now();
  await page.locator("#again").click();
  await page.waitForFunction(() => globalThis.made.length === 2);
  console.log(
      `${basename(model)}: ${first.toFixed(0)} ms from the drop at once after loading, then ${
          (performance.now() - again).toFixed(0)} ms; ` +
      await status(page).textContent());
  assert.deepEqual(page.requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a TensorFlow Lite file gives the native report, and the chooser shows it", async () => {
  const page = await blank();
  await keep(page);
  await page.goto(pathToFileURL(join(web, "index.html")).href);
  assert.ok((await page.locator("#files").getAttribute("accept")).split(",").includes(".tflite"));
  assert.ok(await page.locator("#what").isVisible());
  const lite = join(root, "test/models/tflite/loop.tflite");
  await drop(page, lite);
  await done(page, basename(lite));
  same((await reports(page))[0],
       native([basename(lite), "--target", "jetson-orin", "--format", "html"], join(lite, "..")));
  assert.ok(await page.locator("#what").isHidden());
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a newcomer opens the page and chooses an example", async () => {
  const page = await blank();
  const begin = performance.now(), times = [];
  const note = (what) => times.push(`${what} after ${(performance.now() - begin).toFixed(0)} ms`);
  await page.goto(pathToFileURL(join(web, "index.html")).href);
  note("drawn");
  await page.getByRole("button", { name: "ResNet-18" }).click();
  await page.locator("#report").waitFor({ state: "visible" });
  const frame = page.frameLocator("#report");
  await frame.locator(".verdict").waitFor({ state: "visible" });
  note("the report shown");
  assert.match(await frame.locator(".verdict").textContent(), /FPS on jetson-agx-orin-64gb/);
  console.log(`a newcomer: ${times.join(", ")}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("the table over all boards and the rewritten model equal the native program's", async () => {
  const page = await blank();
  await keep(page);
  await page.goto(pathToFileURL(join(web, "index.html")).href);
  await page.getByRole("button", { name: "ResNet-18" }).click();
  await done(page, "resnet18.onnx");
  const folder = join(root, "examples/models");
  await page.locator("#all").click();
  await page.waitForFunction(() => globalThis.made.length === 2, null, { timeout: 120000 });
  await page.waitForFunction(
      () => document.querySelector("#say").textContent.includes("all boards, "), null, { timeout: 60000 });
  console.log(await status(page).textContent());
  assert.equal(
      (await reports(page))[1], native(["sweep", "resnet18.onnx", "--target", "all", "--format", "html"], folder));
  await page.locator("#board").fill("tda4vm");
  await page.locator("#board").press("Enter");
  await page.locator("#chosen button", { hasText: "jetson-orin" }).click();
  await page.locator("#options").fill("--batch 2");
  const saved = page.waitForEvent("download", { timeout: 60000 }).catch(() => null);
  await page.locator("#rewrite").click();
  await page.waitForFunction(
      () => /saved|nothing/.test(document.querySelector("#say").textContent), null, { timeout: 60000 });
  const own = join(place, "native.onnx");
  native(["rewrite", "resnet18.onnx", "--target", "tda4vm", "--batch", "2", "--output", own], folder);
  const download = /saved/.test(await status(page).textContent()) ? await saved : null;
  assert.notEqual(download, null, await status(page).textContent());
  assert.deepEqual(readFileSync(await download.path()), readFileSync(own));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("what is no model, an unknown board and no board say so", async () => {
  const page = await opened();
  const broken = join(place, "broken.onnx");
  writeFileSync(broken, "no model");
  await drop(page, broken);
  await page.waitForFunction(() => !document.querySelector("#notes").hidden);
  assert.match(await page.locator("#notes").textContent(), /error: /);
  await page.locator("#board").fill("no-such-board");
  await page.locator("#board").press("Enter");
  await drop(page, model);
  await page.waitForFunction(() => document.querySelector("#notes").textContent.includes("no-such-board"));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("of a file of more than 4 GB what is no weight is read", async () => {
  const page = await blank();
  await keep(page);
  await page.goto(pathToFileURL(join(web, "index.html")).href);
  const large = join(place, "large.onnx");
  assert.equal(spawnSync("python3", [join(root, "test/wasm/large_model.py"), large, "21000"]).status, 0);
  assert.ok(statSync(large).size > 5e9);
  await drop(page, large);
  await done(page, "large.onnx");
  same((await reports(page))[0], native(["large.onnx", "--target", "jetson-orin", "--format", "html"], place));
  assert.ok(Number(/(\d+) KB of it read/.exec(await status(page).textContent())[1]) < 1024);
  console.log(await status(page).textContent());
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("on a phone nothing is beside the page", async () => {
  const page = await blank({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(pathToFileURL(join(web, "index.html")).href);
  const inside = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(await inside());
  await page.getByRole("button", { name: "ResNet-18" }).click();
  await done(page, "resnet18.onnx");
  assert.ok(await inside(), "with a report");
  await page.close();
});

test("a model from an address, by ranges, on the page that may connect", async () => {
  const ranges = [];
  const server = createServer((request, response) => {
    const bytes = readFileSync(model);
    const headers = {
      "Access-Control-Allow-Origin" : "*",
      "Access-Control-Expose-Headers" : "Content-Range",
      "Access-Control-Allow-Headers" : "Range"
    };
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "");
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end();
    ranges.push(request.headers.range);
    if (range === null) return void response.writeHead(200, headers).end(bytes);
    const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    response.writeHead(206, { ...headers, "Content-Range": `bytes ${range[1]}-${range[2]}/${bytes.length}` }).end(part);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const page = await opened("url.html");
  await page.locator("#address").fill(`http://127.0.0.1:${server.address().port}/folder/some.onnx?x=1`);
  await page.locator("#address").press("Enter");
  await done(page, "some.onnx");
  server.close();
  assert.ok(ranges.length > 1 && ranges.every((range) => range !== undefined), String(ranges));
  await page.close();
});

test("the page without connections has none, and axe-core finds nothing", async () => {
  const page = await opened();
  await page.waitForFunction(() => document.querySelector("#say").textContent.startsWith("Ready"));
  const failed = await page.evaluate(() => fetch("https://example.com/").then(() => "fetched", () => "refused"));
  assert.equal(failed, "refused");
  assert.equal(await page.locator("#address").count(), 0);
  await page.close();
  for (const colorScheme of ["light", "dark"]) {
    const audited = await blank({ bypassCSP: true, colorScheme });
    await audited.goto(pathToFileURL(join(web, "index.html")).href);
    await audited.evaluate(axeSource);
    const found =
        await audited.evaluate(async () => (await globalThis.axe.run()).violations.map((violation) => violation.id));
    assert.deepEqual(found, []);
    await audited.close();
  }
});

test("sizes", () => {
  const sizes = readdirSync(web).map((name) => `${name} ${statSync(join(web, name)).size}`);
  const wasm = readFileSync(join(web, "../npm/onnx-hwest.wasm"));
  const packed = [gzipSync(wasm, { level: 9, memLevel: 9 }), brotliCompressSync(wasm)].map(({ length }) => length);
  console.log(`${sizes.join(", ")}; the program ${wasm.length}, by gzip ${packed[0]}, by brotli ${packed[1]}`);
  assert.ok(statSync(join(web, "index.html")).size < 100000);
  assert.ok(packed.every((length) => length < 4e6), String(packed));
});
