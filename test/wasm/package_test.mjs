// The npm package of dist/npm under Node.js: every function gives what the native program gives for the same flags.
//
//   HWEST_PROGRAM=build/onnx-hwest HWEST_NPM=dist/npm node package_test.mjs
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = resolve(process.env.HWEST_PROGRAM ?? join(root, "build/onnx-hwest"));
const npm = resolve(process.env.HWEST_NPM ?? join(root, "dist/npm"));
for (const path of [program, join(npm, "node.js")]) {
  if (existsSync(path)) continue;
  console.log(`DID NOT RUN: no ${path}: cmake/wasm.sh builds the package`);
  process.exit(77);
}
const { analyze, HwestError, load, report, rewrite, run, sweep, targets } =
    await import(pathToFileURL(join(npm, "node.js")));
const folder = join(root, "examples/models"), name = "resnet18.onnx", path = join(folder, name);
const scratch = mkdtempSync(join(tmpdir(), "hwest-wasm-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
const native = (...args) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30 });
  assert.equal(status, 0, stderr);
  return stdout;
};

test("analyze: options are flags, and a model is a path, bytes or a Blob", async () => {
  const want =
      JSON.parse(native(name, "--target", "tda4vm", "--batch", "2", "--what-if", "--deny", "Relu@c7x-mma", "--json"));
  const bytes = readFileSync(path);
  for (const model
           of [path, new Uint8Array(bytes), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
               new Blob([bytes])]) {
    const got = await analyze(
        model, { name, target: "tda4vm", batch: 2, whatIf: true, strict: false, deny: ["Relu@c7x-mma"] });
    assert.deepEqual(got, want);
  }
});

test("dimensions by name, other files by name", async () => {
  const bert = join(root, "test/models/bert-base_128.ts.onnx");
  const got = await analyze(bert, { target: "jetson-orin", dim: { batch: 2, seq: 16 } });
  assert.equal(got.request.dims.seq, 16);
  const own = new TextEncoder().encode(native("describe", "target-example"));
  const { request } = await analyze(path, { target: "mine.textproto", files: { "mine.textproto": own } });
  assert.match(request.target, /\S/);
});

test("report, sweep, rewrite, targets and run", async () => {
  assert.equal(
      await report(path, { target: "jetson-orin" }), native(name, "--target", "jetson-orin", "--format", "html"));
  assert.deepEqual(await sweep(path, { target: "jetson-orin,tda4vm" }),
                   JSON.parse(native("sweep", name, "--target", "jetson-orin,tda4vm", "--json")));
  const output = join(scratch, "rewritten.onnx");
  native("rewrite", name, "--target", "tda4vm", "--batch", "2", "--output", output);
  const { model } = await rewrite(path, { target: "tda4vm", batch: 2 });
  assert.deepEqual(Buffer.from(model), readFileSync(output));
  assert.deepEqual(await targets(), JSON.parse(native("targets", "--json")));
  const support = await run(["support", name, "--target", "tda4vm"], { [name]: path });
  assert.equal(support.stdout, native("support", name, "--target", "tda4vm"));
});

test("a rewritten model of more than 64 MB is bytes, too", async () => {
  const large = join(scratch, "large.onnx"), output = join(scratch, "large.rewritten.onnx");
  assert.equal(spawnSync("python3", [join(root, "test/wasm/large_model.py"), large, "3000"]).status, 0);
  native("rewrite", large, "--target", "tda4vm", "--output", output);
  const { model } = await rewrite(large, { target: "tda4vm" });
  assert.ok(model.length > 1e8);
  assert.ok(Buffer.from(model).equals(readFileSync(output)));
});

test("the README's example runs, and its types hold", async () => {
  const example = /```js\n([^]*?)```/.exec(readFileSync(join(npm, "README.md"), "utf8"))[1];
  const place = join(scratch, "example");
  mkdirSync(join(place, "node_modules"), { recursive: true });
  symlinkSync(npm, join(place, "node_modules/onnx-hwest"), "dir");
  copyFileSync(path, join(place, name));
  writeFileSync(join(place, "example.mjs"), example);
  const ran = spawnSync(process.execPath, ["example.mjs"], { cwd: place, encoding: "utf8" });
  assert.equal(ran.status, 0, ran.stderr);
  assert.match(ran.stdout, /FPS on jetson-agx-orin-64gb.* 0\.\d+/);
  assert.match(readFileSync(join(place, "report.html"), "utf8"), /^<!doctype html>/);
  const typed = `${example}
    const latency: number | null = result.summary.latency_s, name: string = table.rows[0]!.target;
    const bytes: Uint8Array = better.model;
    console.log(latency, name, bytes.length);
  `.replace('import { writeFile } from "node:fs/promises";',
            "declare function writeFile(path: string, text: string): Promise<void>;");
  writeFileSync(join(place, "example.mts"), typed);
  const checked = spawnSync(process.execPath, [
    join(root, "lib/report/viewer/node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022",
    "--module", "nodenext", "--lib", "es2022,dom", "--types", "", "example.mts",
  ], { cwd: place, encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stdout);
});

test("a refusal is an HwestError with the program's words", async () => {
  const { stderr } =
      spawnSync(program, [name, "--target", "no-such-board", "--json"], { cwd: folder, encoding: "utf8" });
  await assert.rejects(analyze(path, { target: "no-such-board" }), (error) => {
    assert.ok(error instanceof HwestError && error.status !== 0);
    assert.ok(stderr.includes(error.message), `${error.message} is not in ${stderr}`);
    return true;
  });
  await assert.rejects(analyze(new Uint8Array([1, 2, 3]), { target: "tda4vm" }), HwestError);
  await assert.rejects(analyze(path, { target: "tda4vm", format: "svg" }), HwestError);
});

test("runs beside each other, and a program that was compiled elsewhere", async () => {
  const compiled = await WebAssembly.compile(readFileSync(join(npm, "onnx-hwest.wasm")));
  const program = await load(compiled);
  const results = await Promise.all(
      [program.targets(), program.analyze(path, { target: "rk3588" }), analyze(path, { target: "rk3588" })]);
  assert.deepEqual(results[1], results[2]);
});
