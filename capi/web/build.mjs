// Makes the page and the npm package of a WebAssembly build:
//
//   node build.mjs PROGRAM.wasm DIST
//
// DIST/web: the page, for any static host or a disk: index.html opens no connection; url.html may, to read a model from
// the address that its user pastes. DIST/npm: the package, as `npm publish DIST/npm` takes it.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [wasm, dist] = process.argv.slice(2);
if (dist === undefined) throw new Error("usage: node build.mjs PROGRAM.wasm DIST");
const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, "../..");
// The packages of the page of HTML reports; cmake/setup.sh fetches them.
const { build } = createRequire(join(root, "lib/report/viewer/build.mjs"))("esbuild");

const kExamples = {
  resnet18: { file: "examples/models/resnet18.onnx", title: "ResNet-18", args: [] },
  mobilenet_v2: { file: "test/models/mobilenet_v2.ts.onnx", title: "MobileNetV2", args: [] },
  "bert-base": {
    file: "test/models/bert-base_128.ts.onnx",
    title: "BERT, 128 tokens",
    args: ["--dim", "batch=1", "--dim", "seq=128"],
  },
};

const kManifest = {
  name: "onnx-hwest",
  version: /project\(onnx-hwest VERSION ([\d.]+)/.exec(readFileSync(join(root, "CMakeLists.txt"), "utf8"))[1],
  description: "Hardware estimates for ONNX models: latency, memory, energy, fusion and placement",
  license: "Apache-2.0",
  type: "module",
  types: "./index.d.ts",
  engines: { node: ">=18" },
  keywords: ["onnx", "latency", "accelerator", "npu", "embedded", "estimate"],
  exports: {
    ".": { types: "./index.d.ts", node: "./node.js", default: "./browser.js" },
    "./onnx-hwest.wasm": "./onnx-hwest.wasm",
  },
  files: ["*.js", "index.d.ts", "onnx-hwest.wasm"],
};

const kPages = {
  "index.html": {
    promise: "Runs in this browser. Nothing leaves your machine: the page opens no connection. " +
      '<a href="url.html">Read a model from an address instead</a>',
    address: "",
    connect: "'none'",
  },
  "url.html": {
    promise: "Runs in this browser. It connects to the address that you paste and to nothing else. " +
      '<a href="index.html">The page without connections</a>',
    address: '<div id="address-row"><label for="address">Address of a model</label>' +
      '<input id="address" type="url" placeholder="https://host/model.onnx, where browsers may read it"></div>',
    connect: "https: http:",
  },
};

async function bundle(entry, options) {
  const result = await build({
    absWorkingDir: folder, entryPoints: [`src/${entry}`], bundle: true, minify: true, write: false, outdir: "out",
    target: "es2022", charset: "ascii", legalComments: "none", logLevel: "warning", ...options,
  });
  return result.outputFiles[0].text.trim();
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const part = (name, bytes) => `hwestPart(${JSON.stringify(name)},${JSON.stringify(bytes.toString("base64"))});\n`;

async function makePackage(npm) {
  const module = { format: "esm", minify: false, charset: "utf8" };
  write(join(npm, "node.js"), await bundle("node.ts", { ...module, platform: "node" }));
  write(join(npm, "browser.js"), await bundle("browser.ts", module));
  for (const name of ["index.d.ts", "README.md"]) copyFileSync(join(folder, name), join(npm, name));
  copyFileSync(join(root, "LICENSE"), join(npm, "LICENSE"));
  copyFileSync(wasm, join(npm, "onnx-hwest.wasm"));
  write(join(npm, "package.json"), `${JSON.stringify(kManifest, null, 2)}\n`);
}

// The scripts of reports, which run under the page's policy, too: as the program's own policy names them.
async function reportScripts(npm) {
  const { run } = await import(pathToFileURL(join(npm, "node.js")));
  const hashes = new Set();
  for (const args of [["m.onnx", "--target", "jetson-orin"], ["sweep", "m.onnx", "--target", "jetson-orin"]]) {
    const { status, stdout, stderr } =
        await run([...args, "--format", "html" ], { "m.onnx" : join(root, kExamples.resnet18.file) });
    if (status !== 0) throw new Error(stderr);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(stdout)[1];
    for (const script of /script-src ([^;]*)/.exec(policy)?.[1].match(/'sha256-[^']*'/g) ?? []) hashes.add(script);
  }
  return [...hashes].join(" ");
}

async function makePages(web, scripts) {
  const worker = await bundle("worker.ts", { format: "iife" });
  const examples = Object.fromEntries(
    Object.entries(kExamples).map(([name, { title, args }]) => [name, { title, args }]));
  const script = await bundle("page.ts", {
    format: "iife", define: { WORKER: JSON.stringify(worker), EXAMPLES: JSON.stringify(examples) } });
  const style = await bundle("page.css", {});
  const template = readFileSync(join(folder, "src/page.html"), "utf8");
  for (const [name, { file }] of Object.entries(kExamples)) {
    write(join(web, `example-${name}.js`), part(`example-${name}`, readFileSync(join(root, file))));
  }
  write(join(web, "program.js"), part("program", gzipSync(readFileSync(wasm), { level: 9, memLevel: 9 })));
  for (const [name, { promise, address, connect }] of Object.entries(kPages)) {
    const policy = [
      "default-src 'none'", `script-src 'self' ${hash(script)} ${scripts} 'wasm-unsafe-eval'`, "worker-src blob:",
      "style-src 'unsafe-inline'", "img-src data: blob:", "frame-src blob:", `connect-src ${connect}`,
      "base-uri 'none'", "form-action 'none'",
    ].join("; ");
    const words = { POLICY: policy, STYLE: style, SCRIPT: script, PROMISE: promise, ADDRESS: address };
    write(join(web, name), template.replace(/%([A-Z]+)%/g, (_, word) => words[word]));
  }
}

rmSync(join(dist, "npm"), { recursive: true, force: true });
rmSync(join(dist, "web"), { recursive: true, force: true });
await makePackage(join(dist, "npm"));
await makePages(join(dist, "web"), await reportScripts(join(dist, "npm")));
