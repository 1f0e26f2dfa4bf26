// Runs a program of a WebAssembly build under Node.js with the file system of this machine: node run.mjs PROGRAM.wasm
// [ARGUMENT...]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), preopens: { "/": "/" } });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
