// The program as functions: words and files in, text and files out. Node.js and browsers share it.
import type { Source } from "./source.js";
import { type Output, start } from "./wasi.js";

type Word = string | number | boolean;
type Flag = Word | readonly Word[] | Readonly<Record<string, Word>> | undefined;
export interface Options<Model> {
  name?: string;
  files?: Record<string, Model>;
  [flag: string]: Flag | Record<string, Model>;
}

/** The program refused: `message` is what it says, `status` its exit status. */
export class HwestError extends Error {
  override name = "HwestError";

  constructor(readonly status: number, text: string) {
    super(text.trim().replace(/^onnx-hwest: error: /, ""));
  }
}

/** `{ target: "tda4vm", whatIf: true, dim: { seq: 128 } }` as flags: --target tda4vm --what-if --dim seq=128. */
export function flagsOf(options: Record<string, unknown>): string[] {
  const words: string[] = [];
  for (const [key, value] of Object.entries(options)) {
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const add = (word: Word) => words.push(flag, String(word));
    if (value === undefined || value === null || value === false) continue;
    if (value === true) words.push(flag);
    else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === "object") Object.entries(value).forEach(([name, word]) => add(`${name}=${word}`));
    else add(value as Word);
  }
  return words;
}

export interface Result {
  status: number;
  stdout: string;
  stderr: string;
  files: Map<string, Uint8Array>;
}

/** The program, compiled once. Each call is a run of its own. */
export class Hwest<Model> {
  constructor(private readonly module: WebAssembly.Module, private readonly open: (model: Model) => Promise<Opened>) {}

  private async raw<T>(args: string[], files: Record<string, Model>, use: (output: Output) => T): Promise<T> {
    const opened = await Promise.all(Object.entries(files).map(
      async ([name, model]) => [name, await this.open(model)] as const));
    try {
      return use(await start(this.module, args, new Map(opened.map(([name, { source }]) => [name, source]))));
    } finally {
      for (const [, { close }] of opened) close?.();
    }
  }

  run(args: string[], files: Record<string, Model> = {}): Promise<Result> {
    return this.raw(args, files, (output) => ({
      status: output.status,
      stdout: new TextDecoder().decode(output.stdout.bytes()),
      stderr: new TextDecoder().decode(output.stderr.bytes()),
      files: new Map([...output.files].map(([name, file]) => [name, file.bytes()])),
    }));
  }

  private async of(verb: string, model: Model, options: Options<Model>, more: string[]): Promise<Result> {
    const { name, files, ...flags } = options;
    const file = name ?? (typeof model === "string" ? model.replace(/^.*[/\\]/, "") : "model.onnx");
    const result = await this.run([verb, file, ...flagsOf(flags), ...more], { ...files, [file]: model });
    if (result.status !== 0) throw new HwestError(result.status, result.stderr);
    return result;
  }

  async analyze(model: Model, options: Options<Model> = {}): Promise<unknown> {
    return JSON.parse((await this.of("analyze", model, options, ["--json"])).stdout);
  }

  async report(model: Model, options: Options<Model> = {}): Promise<string> {
    return (await this.of("analyze", model, { format: "html", ...options }, [])).stdout;
  }

  async sweep(model: Model, options: Options<Model> = {}): Promise<unknown> {
    return JSON.parse((await this.of("sweep", model, { target: "all", ...options }, ["--json"])).stdout);
  }

  async rewrite(model: Model, options: Options<Model> = {}): Promise<{ model: Uint8Array; report: unknown }> {
    const output = "rewritten.onnx";
    const result = await this.of("rewrite", model, options, ["--output", output, "--json"]);
    return { model: result.files.get(output)!, report: JSON.parse(result.stdout) };
  }

  async targets(): Promise<unknown> {
    return JSON.parse((await this.run(["targets", "--json"])).stdout);
  }
}

export interface Opened {
  source: Source;
  close?: () => void;
}

/** The functions of a package: those of a program that is compiled at the first call. */
export function functionsOf<Model>(load: () => Promise<Hwest<Model>>) {
  let program: Promise<Hwest<Model>> | undefined;
  const it = () => (program ??= load());
  type Given = Options<Model>;
  return {
    run: async (args: string[], files?: Record<string, Model>) => (await it()).run(args, files),
    analyze: async (model: Model, options?: Given) => (await it()).analyze(model, options),
    report: async (model: Model, options?: Given) => (await it()).report(model, options),
    sweep: async (model: Model, options?: Given) => (await it()).sweep(model, options),
    rewrite: async (model: Model, options?: Given) => (await it()).rewrite(model, options),
    targets: async () => (await it()).targets(),
  };
}
