// The WebAssembly program against the native one, byte for byte: JSON and HTML of every model on three targets, and
// times.
//
//   node equal_test.mjs PROGRAM PACKAGE FOLDER,... [--targets NAME,...] [--every N] [--only TEXT]
//
// PACKAGE: dist/npm of cmake/wasm.sh. --every N: each Nth pair of a model and a target. Exit status: 0 equal, 1 not, 77
// a part is missing, so nothing was compared. On SIGTERM it says how far it came, and that is no 0.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const kTargets = "jetson-orin,hailo-10h,cortex-a78";
const kSizes = ["--dim", "batch=1", "--dim", "seq=64"]; // of models that leave them open
const kFormats = ["json", "html"];

const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(name);
  return at < 0 ? otherwise : words.splice(at, 2)[1];
};
const every = Number(option("--every", "1")), only = option("--only", "");
const targets = option("--targets", kTargets).split(",");
const [program, folder, folders] = words;
for (const path of [program, join(folder ?? "", "node.js"), ...(folders ?? "").split(",")]) {
  if (existsSync(path)) continue;
  console.log(`DID NOT RUN: ${path} is not there; nothing was compared`);
  process.exit(77);
}
const { run } = await import(pathToFileURL(resolve(folder, "node.js")));

const found = new Map(); // of two models of one name, the first folder's counts
for (const place of folders.split(",")) {
  for (const name of readdirSync(place).sort())
    if (name.endsWith(".onnx") && !found.has(name)) found.set(name, join(place, name));
}
const models = [...found].filter(([name]) => name.includes(only));
const native = (args, cwd) => {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(resolve(program), args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  return { status, stdout, stderr, ms: performance.now() - begin };
};
// Weights beside a model are there under the names that the program asks for.
const beside = (place) => Object.fromEntries(readdirSync(place, { withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(data|onnx_data|bin|weight|pb)$/.test(entry.name))
  .map((entry) => [entry.name, join(place, entry.name)]));

let compared = 0, refused = 0, differ = 0, number = 0;
const ratios = [];
let stopped = false;  // by a limit of time: what was compared until then is said
process.on("SIGTERM", () => (stopped = true));
let seen = 0;
for (const [name, path] of models) {
  const place = join(path, "..");
  const files = { ...beside(place), [name]: path };
  for (const target of targets) {
    if (stopped || number++ % every !== 0) continue;
    await new Promise((next) => void setImmediate(next));  // a signal comes between two turns
    ++seen;
    let sizes = [];
    for (const format of kFormats) {
      const words = () => [name, "--target", target, "--format", format, ...sizes];
      let one = native(words(), place);
      if (one.status !== 0 && sizes.length === 0) {
        sizes = kSizes;
        one = native(words(), place);
      }
      const begin = performance.now();
      const two = await run(words(), files)
        .catch((error) => ({ status: "a failure", stdout: "", stderr: String(error) }));
      const ms = performance.now() - begin;
      if (one.status !== two.status || one.stdout !== two.stdout || one.stderr !== two.stderr) {
        ++differ;
        let at = 0;
        while (at < one.stdout.length && one.stdout[at] === two.stdout[at]) ++at;
        console.log(
            `${name} on ${target} as ${format}: status ${one.status} and ${two.status}, ${one.stdout.length} and ` +
            `${two.stdout.length} letters, from ${at} on: ...${one.stdout.slice(at - 60, at + 30)} and ` +
            `...${two.stdout.slice(at - 60, at + 30)}; ${one.stderr} and ${two.stderr}`);
      } else if (one.status !== 0) {
        ++refused;
      } else {
        ++compared;
        ratios.push({ name, ratio: ms / one.ms, ms, native: one.ms });
      }
    }
  }
}
ratios.sort((a, b) => a.ratio - b.ratio);
const at = (share) => ratios[Math.min(ratios.length - 1, Math.floor(share * ratios.length))];
if (stopped) console.log(`stopped after ${seen} of ${Math.ceil(models.length * targets.length / every)} pairs`);
console.log(`${models.length} models, ${targets.length} targets: ${compared} reports are equal, ${differ} differ, ` +
  `${refused} were refused alike`);
if (compared > 0) {
  const text = ({ name, ratio, ms, native: own }) =>
      `${ratio.toFixed(2)} (${ms.toFixed(0)} and ${own.toFixed(0)} ms, ${name})`;
  console.log(`time over the native program's, with its start: median ${text(at(0.5))}, 90 % ${text(at(0.9))}, most ${
      text(at(1))}`);
}
process.exit(differ > 0 || compared === 0 || stopped ? 1 : 0);
