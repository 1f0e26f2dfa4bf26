/**
 * Hardware estimates for ONNX models: latency, memory, energy, fusion and placement. What the command line onnx-hwest
 * does, without it: nothing is installed, nothing leaves the machine, weights are not read.
 */

/** A model: bytes, a `File` or `Blob`, or under Node.js a path. Paths, and files in a worker, are read by ranges. */
export type Model = Uint8Array | ArrayBuffer | Blob | string;

type Word = string | number | boolean;
type Flag = Word | readonly Word[] | Readonly<Record<string, Word>> | undefined;

/**
 * Flags of the command line in camel case: `{ target: "tda4vm", whatIf: true, dim: { seq: 128 } }` is
 * `--target tda4vm --what-if --dim seq=128`. Arrays repeat a flag. docs/options.md lists them.
 */
export interface Options {
  /** Name of the model, as reports show it. Default: that of the path, else "model.onnx". */
  name?: string;
  /** Other files by name: weights beside the model, a target's `.textproto`, contents of inputs. */
  files?: Record<string, Model>;
  [flag: string]: Flag | Record<string, Model>;
}

/** A row of a table, by column. docs/tables.md of the project has every column; what is unknown is null, never 0. */
export type Row = Record<string, unknown>;

/** What all documents of the program have. */
export interface Document {
  schema: string;
  kind: string;
  tool: { version: string };
  request: Row;
  diagnostics: (Row & { severity: string; code: string; message: string; remedy: string })[];
  [part: string]: unknown;
}

export interface Summary {
  latency_s: number | null;
  /** The 80 % interval of the latency. */
  latency_low_s: number | null;
  latency_high_s: number | null;
  throughput_per_s: number | null;
  energy_j: number | null;
  peak_memory_bytes: number | null;
  macs: number | null;
  [figure: string]: unknown;
}

export interface Report extends Document {
  /** The answer in a sentence. */
  verdict: string;
  summary: Summary;
  nodes: Row[];
  /** Kernels. */
  groups: Row[];
  units: Row[];
  /** Changes and what they would give, with `whatIf`. */
  what_if: Row[] | null;
}

export interface Sweep extends Document {
  rows: (Row & { target: string; status: string; latency_s: number | null; throughput_per_s: number | null })[];
}

export interface Targets extends Document {
  targets: (Row & { name: string; summary: string })[];
}

/** The program refused; `message` says why and what to do. */
export class HwestError extends Error {
  readonly status: number;
}

export interface Result {
  /** Exit status, 0 for success. */
  status: number;
  stdout: string;
  stderr: string;
  /** What the program wrote, by name. */
  files: Map<string, Uint8Array>;
}

/** The program with any words, e.g. `run(["support", "m.onnx", "--target", "tda4vm"], { "m.onnx": bytes })`. */
export function run(args: string[], files?: Record<string, Model>): Promise<Result>;
/** The report of a model on `options.target` as an object: what `onnx-hwest --json` prints, see docs/tables.md. */
export function analyze(model: Model, options?: Options): Promise<Report>;
/** The same as a page: what `--output report.html` writes. */
export function report(model: Model, options?: Options): Promise<string>;
/** A row for each of `options.target`, by default all built-in targets: what `onnx-hwest sweep --json` prints. */
export function sweep(model: Model, options?: Options): Promise<Sweep>;
/** An equivalent model that runs better on `options.target`, and what was changed. */
export function rewrite(model: Model, options?: Options): Promise<{ model: Uint8Array; report: Document }>;
/** The built-in targets: what `onnx-hwest targets --json` prints. */
export function targets(): Promise<Targets>;

export interface Hwest {
  run: typeof run;
  analyze: typeof analyze;
  report: typeof report;
  sweep: typeof sweep;
  rewrite: typeof rewrite;
  targets: typeof targets;
}
/** Another copy of the program: its bytes, compiled form or, in browsers, address. Default: `onnx-hwest.wasm` of the package. */
export function load(wasm?: BufferSource | WebAssembly.Module | URL | string): Promise<Hwest>;
