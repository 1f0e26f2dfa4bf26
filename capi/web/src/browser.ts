// The package in browsers. In a worker a File or Blob is read by ranges; elsewhere it is read whole.
import { functionsOf, Hwest, type Opened } from "./program.js";
import { BlobSource, Bytes } from "./source.js";

export type Model = Uint8Array | ArrayBuffer | Blob;
export { Hwest, HwestError } from "./program.js";

async function open(model: Model): Promise<Opened> {
  if (model instanceof Blob) {
    if (typeof FileReaderSync !== "undefined") return { source: new BlobSource(model) };
    model = await model.arrayBuffer();
  }
  return { source: new Bytes(model instanceof Uint8Array ? model : new Uint8Array(model)) };
}

/** `wasm`: the program or its address, if it does not lie beside this file. */
export async function load(wasm?: BufferSource | WebAssembly.Module | URL | string): Promise<Hwest<Model>> {
  wasm ??= new URL("onnx-hwest.wasm", import.meta.url);
  if (typeof wasm === "string" || wasm instanceof URL) {
    const response = await fetch(wasm);
    if (!response.ok) throw new Error(`${wasm}: ${response.status} ${response.statusText}`);
    wasm = await response.arrayBuffer();
  }
  return new Hwest<Model>(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm), open);
}

export const { run, analyze, report, sweep, rewrite, targets } = functionsOf(() => load());
