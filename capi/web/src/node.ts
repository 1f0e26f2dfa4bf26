// The package under Node.js, where a model may be a path.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { functionsOf, Hwest, type Opened } from "./program.js";
import { Bytes, Paged } from "./source.js";

export type Model = string | Uint8Array | ArrayBuffer | Blob;
export { Hwest, HwestError } from "./program.js";

class FileSource extends Paged {
  readonly fd: number;
  readonly size: number;

  constructor(path: string) {
    super();
    this.fd = openSync(path, "r");
    this.size = fstatSync(this.fd).size;
  }

  protected fetch(begin: number, end: number) {
    const bytes = new Uint8Array(end - begin);
    let filled = 0;
    while (filled < bytes.length) {
      const got = readSync(this.fd, bytes, filled, bytes.length - filled, begin + filled);
      if (got === 0) break;
      filled += got;
    }
    return bytes.subarray(0, filled);
  }
}

async function open(model: Model): Promise<Opened> {
  if (typeof model === "string") {
    const source = new FileSource(model);
    return { source, close: () => closeSync(source.fd) };
  }
  if (model instanceof Blob) model = await model.arrayBuffer();
  return { source: new Bytes(model instanceof Uint8Array ? model : new Uint8Array(model)) };
}

/** `wasm`: the program, if it does not lie beside this file. */
export async function load(wasm?: BufferSource | WebAssembly.Module): Promise<Hwest<Model>> {
  wasm ??= readFileSync(new URL("onnx-hwest.wasm", import.meta.url));
  return new Hwest<Model>(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm), open);
}

export const { run, analyze, report, sweep, rewrite, targets } = functionsOf(() => load());
