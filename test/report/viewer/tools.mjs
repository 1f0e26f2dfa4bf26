// Opens exported files in the tools that they are for, in Chromium, and checks that these show our figures:
//
//   python3 -m venv T && T/bin/pip install netron ai-edge-model-explorer model-explorer-onnx
//   npm install --prefix T speedscope
//   HWEST_PROGRAM=build/onnx-hwest node test/report/viewer/tools.mjs T [SCREENSHOTS]
//
// Not a test of the build, because it needs these downloads. The trace is opened in speedscope, because Perfetto's
// own reader is no package; exchange_test holds the rules of its form.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { blank, close, program, root, run, scratch } from "./browser.mjs";

const [tools, shots = scratch] = process.argv.slice(2);
if (tools === undefined) throw new Error("say in which folder the tools are: see the first lines of this file");
mkdirSync(shots, { recursive: true });
const model = join(root, "test/models/mobilenet_v2.ts.onnx");
const analysis = [model, "--target", "tda4vm", "--deny", "Clip@c7x-mma"];
const document = JSON.parse(run(program, ...analysis, "--json"));
const costliest = document.groups.reduce((a, b) => (b.time_s > a.time_s ? b : a));
const time_us = String(Number((costliest.time_s * 1e6).toPrecision(6)));
const node = document.nodes[costliest.nodes.at(-1)];

function written(format, ...options) {
  const path = join(scratch, `${format}.json`);
  run(program, ...analysis, "--format", format, ...options, "--output", path);
  return path;
}

// Runs a server of a tool while `use` is busy with the address.
async function serving(command, port, use) {
  const server = spawn(join(tools, "bin", command[0]), command.slice(1), { stdio: "ignore" });
  try {
    const url = `http://localhost:${port}/`;
    for (let tries = 0; ; ++tries) {
      const answer = await fetch(url).catch(() => null);
      if (answer?.ok) break;
      assert.ok(tries < 240, `${command[0]} does not answer`);
      await sleep(250);
    }
    await use(url);
  } finally {
    server.kill();
  }
}

const done = (name, what) => console.log(`${name}: ${what}`);

// speedscope with a file, as its own command line opens it.
async function profiled(path) {
  const index = join(tools, "node_modules/speedscope/dist/release/index.html");
  const file = join(scratch, "profile.js");
  const base64 = readFileSync(path).toString("base64");
  writeFileSync(file, `speedscope.loadFileFromBase64(${JSON.stringify(basename(path))}, "${base64}")`);
  const page = await blank();
  await page.goto(`${pathToFileURL(index).href}#localProfilePath=${file}`);
  await page.getByText("Time Order").waitFor();
  return page;
}

async function trace() {
  const page = await profiled(written("perfetto"));
  await page.getByText("c7x-mma").first().waitFor();
  await page.screenshot({ path: join(shots, "trace.png") });
  assert.deepEqual(page.problems, []);
  done("trace in speedscope", "a thread for each unit");
}

async function netron() {
  await serving(["netron", "--port", "8471"], 8471, async (url) => {
    const page = await blank();
    await page.goto(url);
    await page.getByRole("button", { name: "Accept" }).click();
    const input = page.locator("input[type=file]");
    await page.getByRole("button", { name: "Open Model" }).waitFor();
    await input.setInputFiles(model);
    const box = page.locator(`[id="node-name-${node.name}"]`).first();
    await box.waitFor();
    await input.setInputFiles(written("netron"));
    await sleep(1500);  // nothing on the page tells that the file was taken
    await box.locator(".node-item-type").first().click();
    const item = page.locator(".sidebar-item", { has: page.locator('input[value="hwest.time_us"]') });
    assert.equal(await item.locator(".sidebar-item-value-line").innerText(), time_us);
    await page.screenshot({ path: join(shots, "netron.png") });
    done("Netron", `shows the time of ${node.name}`);
  });
}

async function modelExplorer() {
  const time = written("model-explorer");
  const command = ["model-explorer", model, "--extensions=model_explorer_onnx", `--node_data_paths=${time}`,
                   "--no_open_in_browser", "--port", "8472"];
  await serving(command, 8472, async (url) => {
    const page = await blank();
    const data = encodeURIComponent(JSON.stringify({ models: [{ url: model }], nodeData: [time] }));
    await page.goto(`${url}?data=${data}`);
    await page.getByText("hwest time, us").first().waitFor();
    await page.getByText(time_us, { exact: true }).first().waitFor();  // of the statistics: the most
    await page.screenshot({ path: join(shots, "model-explorer.png") });
    done("Model Explorer", `shows ${time_us} us as the most`);
  });
}

for (const tool of [trace, netron, modelExplorer]) {
  try {
    await tool();
  } catch (error) {
    console.log(`${tool.name}: ${error.message}`);
    process.exitCode = 1;
  }
}
await close();
