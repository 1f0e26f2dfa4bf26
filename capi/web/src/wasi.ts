// What the program asks of a system, WASI preview 1: a folder of files in memory or behind a Source, standard output
// and error, a clock. There is no network, no time zone, no other process. docs: https://github.com/WebAssembly/WASI
import { Bytes, type Source } from "./source.js";

// Numbers of errno.
const kOk = 0, kBadFile = 8, kExists = 20, kInvalid = 28, kNoFile = 44, kNotSupported = 52, kNotDirectory = 54,
      kNotEmpty = 55;
const kCharacterDevice = 2, kDirectory = 3, kRegularFile = 4; // of a file
const kCreate = 1, kMustBeDirectory = 2, kExclusive = 4, kTruncate = 8; // to open
const kFolder = 3; // the number of the folder that is open at the start
const kPartBytes = 16 << 20;

/** What the program writes: parts in a row, if it is much as Blobs where a browser is to keep it on its disk. */
class Written implements Source {
  size = 0;
  private readonly parts: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  private last = new Uint8Array(0); // the part that grows
  private used = 0;

  constructor(private readonly onDisk: boolean) {}

  write(bytes: Uint8Array) {
    if (this.used + bytes.length > this.last.length) {
      this.flush();
      this.last = new Uint8Array(Math.max(bytes.length, Math.min(kPartBytes, Math.max(4096, 2 * this.size))));
    }
    this.last.set(bytes, this.used);
    this.used += bytes.length;
    this.size += bytes.length;
  }

  private flush() {
    if (this.used === 0) return;
    const part = this.last.subarray(0, this.used);
    this.parts.push(this.onDisk && this.size > 4 * kPartBytes ? new Blob([part]) : part);
    this.last = new Uint8Array(0);
    this.used = 0;
  }

  blob(type: string) {
    this.flush();
    return new Blob(this.parts, { type });
  }

  bytes() {
    this.flush();
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      if (part instanceof Blob) throw new Error(`${this.size} bytes are a Blob, not an array`);
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  read(offset: number, length: number) {
    return new Bytes(this.bytes()).read(offset, length);
  }
}

interface Open {
  source: Source;
  at: number;
  isDevice?: boolean;
}

/** Thrown through the program by its exit. */
class Exit {
  constructor(readonly status: number) {}
}

export interface Output {
  status: number;
  stdout: Written;
  stderr: Written;
  /** What the program wrote, by name. */
  files: Map<string, Written>;
}

class System {
  readonly stdout: Written;
  readonly stderr: Written;
  readonly files: Map<string, Source>;
  private readonly folders = new Set<string>([""]);
  private readonly opened: (Open | "folder" | undefined)[];
  private readonly words: Uint8Array[];
  memory!: WebAssembly.Memory;

  constructor(args: string[], files: ReadonlyMap<string, Source>, private readonly onDisk: boolean) {
    this.stdout = new Written(onDisk);
    this.stderr = new Written(onDisk);
    this.words = args.map((word) => new TextEncoder().encode(`${word}\0`));
    this.files = new Map(files);
    for (const name of files.keys()) this.makeFolders(name);
    this.opened = [{ source: new Bytes(new Uint8Array(0)), at: 0, isDevice: true },
      { source: this.stdout, at: 0, isDevice: true }, { source: this.stderr, at: 0, isDevice: true }, "folder"];
  }

  private makeFolders(name: string) {
    for (let slash = name.indexOf("/"); slash >= 0; slash = name.indexOf("/", slash + 1))
      this.folders.add(name.slice(0, slash));
  }

  // The memory moves when it grows.
  private get view() {
    return new DataView(this.memory.buffer);
  }

  private bytes(at: number, length: number) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  // A name below the folder that is open, without `.` and `..`.
  private path(at: number, length: number) {
    const parts: string[] = [];
    for (const part of new TextDecoder().decode(this.bytes(at, length)).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return parts.join("/");
  }

  private file(fd: number) {
    const open = this.opened[fd];
    return open === "folder" ? undefined : open;
  }

  private *ranges(at: number, count: number): Generator<[number, number]> {
    for (let i = 0; i < count; ++i)
      yield [this.view.getUint32(at + 8 * i, true), this.view.getUint32(at + 8 * i + 4, true)];
  }

  private read(source: Source, from: number, ranges: number, count: number, done: number) {
    let total = 0;
    for (const [at, length] of this.ranges(ranges, count)) {
      let filled = 0;
      while (filled < length) {
        const part = source.read(from + total, length - filled);
        if (part.length === 0) break;
        this.bytes(at + filled, part.length).set(part);
        filled += part.length;
        total += part.length;
      }
      if (filled < length) break;
    }
    this.view.setUint32(done, total, true);
    return kOk;
  }

  private describe(at: number, type: number, size: number) {
    this.bytes(at, 64).fill(0);
    this.view.setUint8(at + 16, type);
    this.view.setBigUint64(at + 24, 1n, true);
    this.view.setBigUint64(at + 32, BigInt(size), true);
    return kOk;
  }

  private list(words: Uint8Array[], pointers: number, text: number) {
    for (const word of words) {
      this.view.setUint32(pointers, text, true);
      this.bytes(text, word.length).set(word);
      pointers += 4;
      text += word.length;
    }
    return kOk;
  }

  readonly calls: Record<string, (...values: never[]) => number> = {
    args_get: (pointers: number, text: number) => this.list(this.words, pointers, text),
    args_sizes_get: (count: number, bytes: number) => {
      this.view.setUint32(count, this.words.length, true);
      this.view.setUint32(bytes, this.words.reduce((sum, word) => sum + word.length, 0), true);
      return kOk;
    },
    environ_get: () => kOk,
    environ_sizes_get: (count: number, bytes: number) => {
      this.view.setUint32(count, 0, true);
      this.view.setUint32(bytes, 0, true);
      return kOk;
    },
    clock_res_get: (_: number, at: number) => {
      this.view.setBigUint64(at, 1000n, true);
      return kOk;
    },
    clock_time_get: (clock: number, _: bigint, at: number) => {
      const ms = clock === 0 ? Date.now() : performance.now();
      this.view.setBigUint64(at, BigInt(Math.round(ms * 1000)) * 1000n, true);
      return kOk;
    },
    random_get: (at: number, length: number) => {
      crypto.getRandomValues(this.bytes(at, length));
      return kOk;
    },
    sched_yield: () => kOk,
    proc_exit: (status: number) => {
      throw new Exit(status);
    },
    fd_close: (fd: number) => {
      if (this.opened[fd] === undefined) return kBadFile;
      this.opened[fd] = undefined;
      return kOk;
    },
    fd_datasync: () => kOk,
    fd_sync: () => kOk,
    fd_fdstat_set_flags: () => kOk,
    fd_fdstat_get: (fd: number, at: number) => {
      const open = this.opened[fd];
      if (open === undefined) return kBadFile;
      this.bytes(at, 24).fill(0);
      this.view.setUint8(at, open === "folder" ? kDirectory : open.isDevice ? kCharacterDevice : kRegularFile);
      this.view.setBigUint64(at + 8, ~0n & 0x3fffffffn, true);
      this.view.setBigUint64(at + 16, ~0n & 0x3fffffffn, true);
      return kOk;
    },
    fd_filestat_get: (fd: number, at: number) => {
      const open = this.opened[fd];
      if (open === undefined) return kBadFile;
      if (open === "folder") return this.describe(at, kDirectory, 0);
      return this.describe(at, open.isDevice ? kCharacterDevice : kRegularFile, open.source.size);
    },
    fd_prestat_get: (fd: number, at: number) => {
      if (fd !== kFolder) return kBadFile;
      this.view.setUint32(at, 0, true);
      this.view.setUint32(at + 4, 1, true);
      return kOk;
    },
    fd_prestat_dir_name: (fd: number, at: number, length: number) => {
      if (fd !== kFolder) return kBadFile;
      if (length > 0) this.bytes(at, 1)[0] = ".".charCodeAt(0);
      return kOk;
    },
    fd_pread: (fd: number, ranges: number, count: number, offset: bigint, done: number) => {
      const open = this.file(fd);
      return open === undefined ? kBadFile : this.read(open.source, Number(offset), ranges, count, done);
    },
    fd_read: (fd: number, ranges: number, count: number, done: number) => {
      const open = this.file(fd);
      if (open === undefined) return kBadFile;
      this.read(open.source, open.at, ranges, count, done);
      open.at += this.view.getUint32(done, true);
      return kOk;
    },
    fd_write: (fd: number, ranges: number, count: number, done: number) => {
      const open = this.file(fd);
      if (open === undefined || !(open.source instanceof Written)) return kBadFile;
      if (!open.isDevice && open.at !== open.source.size) return kInvalid;  // files are written from front to end
      let total = 0;
      for (const [at, length] of this.ranges(ranges, count)) {
        open.source.write(this.bytes(at, length));
        total += length;
      }
      open.at += total;
      this.view.setUint32(done, total, true);
      return kOk;
    },
    fd_seek: (fd: number, offset: bigint, whence: number, at: number) => {
      const open = this.file(fd);
      if (open === undefined || open.isDevice) return kBadFile;
      const to = Number(offset) + [0, open.at, open.source.size][whence];
      if (!(to >= 0)) return kInvalid;
      open.at = to;
      this.view.setBigUint64(at, BigInt(to), true);
      return kOk;
    },
    path_open: (
      _: number, __: number, at: number, length: number, how: number, ___: bigint, ____: bigint, _____: number,
      opened: number) => {
      const name = this.path(at, length);
      let open: Open | "folder";
      if (this.folders.has(name)) {
        open = "folder";
      } else if ((how & kMustBeDirectory) !== 0) {
        return this.files.has(name) ? kNotDirectory : kNoFile;
      } else {
        let source = this.files.get(name);
        if (source !== undefined && (how & kExclusive) !== 0) return kExists;
        if (source === undefined && (how & kCreate) === 0) return kNoFile;
        if (source === undefined || (how & kTruncate) !== 0) {
          source = new Written(this.onDisk);
          this.files.set(name, source);
        }
        open = { source, at: 0 };
      }
      let fd = kFolder + 1;
      while (this.opened[fd] !== undefined) ++fd;
      this.opened[fd] = open;
      this.view.setUint32(opened, fd, true);
      return kOk;
    },
    path_filestat_get: (_: number, __: number, at: number, length: number, result: number) => {
      const name = this.path(at, length);
      if (this.folders.has(name)) return this.describe(result, kDirectory, 0);
      const source = this.files.get(name);
      return source === undefined ? kNoFile : this.describe(result, kRegularFile, source.size);
    },
    path_readlink: (_: number, at: number, length: number) => {
      const name = this.path(at, length);
      return this.files.has(name) || this.folders.has(name) ? kInvalid : kNoFile;
    },
    path_create_directory: (_: number, at: number, length: number) => {
      const name = this.path(at, length);
      if (this.folders.has(name) || this.files.has(name)) return kExists;
      this.makeFolders(`${name}/`);
      return kOk;
    },
    path_remove_directory: () => kNotEmpty,
    path_rename: (_: number, at: number, length: number, __: number, to: number, toLength: number) => {
      const name = this.path(at, length), source = this.files.get(name);
      if (source === undefined) return kNoFile;
      this.files.delete(name);
      this.files.set(this.path(to, toLength), source);
      return kOk;
    },
    path_unlink_file: (_: number, at: number, length: number) =>
        this.files.delete(this.path(at, length)) ? kOk : kNoFile,
  };

  imports(module: WebAssembly.Module): WebAssembly.Imports {
    const calls: Record<string, unknown> = {};
    for (const { name } of WebAssembly.Module.imports(module)) calls[name] = this.calls[name] ?? (() => kNotSupported);
    return { wasi_snapshot_preview1: calls as WebAssembly.ModuleImports };
  }
}

/** Runs the program with these words and files to its end. `onDisk`: what it writes is taken as Blobs. */
export async function start(
    module: WebAssembly.Module, args: string[], files: ReadonlyMap<string, Source>, onDisk = false): Promise<Output> {
  const system = new System(["onnx-hwest", ...args], files, onDisk);
  const instance = await WebAssembly.instantiate(module, system.imports(module));
  system.memory = instance.exports.memory as WebAssembly.Memory;
  let status = 0;
  try {
    (instance.exports._start as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    status = error.status;
  }
  const written = new Map<string, Written>();
  for (const [name, source] of system.files) if (source instanceof Written) written.set(name, source);
  return { status, stdout: system.stdout, stderr: system.stderr, files: written };
}

export type { Written };
