// Runs the program beside the page. One message is the program; each other one is a run, which waits for it
// and gets one answer.
import { BlobSource, Paged, type Source } from "./source.js";
import { start } from "./wasi.js";

export interface Run {
  id: number;
  args: string[];
  files: [name: string, file: Blob | string][]; // a string is an address
  type: string; // of what the program prints
}

export interface Answer {
  id: number;
  status: number;
  stdout: Blob;
  stderr: string;
  files: [name: string, file: Blob][];
  bytesRead: number;
  ms: number;
}

const kAnswerFailed = 70; // an error of this code, not of the program's

class UrlSource extends Paged {
  constructor(private readonly address: string, readonly size: number) {
    super();
  }

  protected fetch(begin: number, end: number) {
    const request = new XMLHttpRequest();
    request.open("GET", this.address, false);
    request.responseType = "arraybuffer";
    request.setRequestHeader("Range", `bytes=${begin}-${end - 1}`);
    request.send();
    if (request.status !== 206) throw new Error(`${this.address}: ${request.status} for a range of it`);
    return new Uint8Array(request.response as ArrayBuffer);
  }
}

// By ranges where the server gives them and says how long the file is, else whole.
async function openAddress(address: string): Promise<Paged> {
  const first = await fetch(address, { headers: { Range: "bytes=0-0" } });
  const size = /\/(\d+)$/.exec(first.headers.get("Content-Range") ?? "")?.[1];
  if (first.status === 206 && size !== undefined) return new UrlSource(address, Number(size));
  const whole = first.status === 206 ? await fetch(address) : first;
  if (!whole.ok) throw new Error(`${address}: ${whole.status} ${whole.statusText}`);
  return new BlobSource(await whole.blob());
}

async function unpack(base64: string): Promise<WebAssembly.Module> {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

let arrive: (module: Promise<WebAssembly.Module>) => void;
const program = new Promise<WebAssembly.Module>((resolve) => (arrive = resolve));
const opened = new Map<string, Paged>(); // addresses

async function answer(run: Run): Promise<Answer> {
  const sources: [string, Source][] = [];
  let bytesRead = 0;
  for (const [name, file] of run.files) {
    let source = typeof file === "string" ? opened.get(file) : new BlobSource(file);
    if (source === undefined) {
      source = await openAddress(file as string);
      opened.set(file as string, source);
    }
    bytesRead -= source.bytesRead;
    sources.push([name, source]);
  }
  const module = await program;
  const begin = performance.now();
  const output = await start(module, run.args, new Map(sources), true);
  for (const [, source] of sources) bytesRead += (source as Paged).bytesRead;
  return {
    id: run.id,
    status: output.status,
    stdout: output.stdout.blob(run.type),
    stderr: await output.stderr.blob("").text(),
    files: [...output.files].map(([name, file]) => [name, file.blob("application/octet-stream")]),
    bytesRead,
    ms: performance.now() - begin,
  };
}

onmessage = async ({ data }: MessageEvent<string | Run>) => {
  if (typeof data === "string") {
    arrive(unpack(data));
    return;
  }
  try {
    postMessage(await answer(data));
  } catch (error) {
    const text = `onnx-hwest: error: ${error instanceof Error ? error.message : String(error)}`;
    postMessage({
      id: data.id,
      status: kAnswerFailed,
      stdout: new Blob(),
      stderr: text,
      files: [],
      bytesRead: 0,
      ms: 0
    } satisfies Answer);
  }
};
