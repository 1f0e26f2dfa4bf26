// What the program reads: a file of which parts are fetched when they are asked for.
export interface Source {
  readonly size: number;
  /** At most `length` bytes from `offset` on; fewer only where the file ends. */
  read(offset: number, length: number): Uint8Array;
}

export class Bytes implements Source {
  constructor(private readonly bytes: Uint8Array) {}

  get size() {
    return this.bytes.length;
  }

  read(offset: number, length: number) {
    return this.bytes.subarray(offset, offset + length);
  }
}

const kPageBytes = 64 * 1024;
const kPages = 8;

/** Reads whole pages and keeps the last few: the program asks for small ranges between the weights that it skips. */
export abstract class Paged implements Source {
  abstract readonly size: number;
  bytesRead = 0;
  private readonly pages = new Map<number, Uint8Array>(); // the oldest first

  protected abstract fetch(begin: number, end: number): Uint8Array;

  private take(begin: number, end: number) {
    this.bytesRead += end - begin;
    return this.fetch(begin, end);
  }

  read(offset: number, length: number) {
    const end = Math.min(offset + length, this.size);
    if (offset >= end) return new Uint8Array(0);
    if (length > kPageBytes) return this.take(offset, end);
    const page = Math.floor(offset / kPageBytes);
    let bytes = this.pages.get(page);
    if (bytes === undefined) {
      const begin = page * kPageBytes;
      bytes = this.take(begin, Math.min(begin + kPageBytes, this.size));
      if (this.pages.size === kPages) this.pages.delete(this.pages.keys().next().value!);
      this.pages.set(page, bytes);
    }
    return bytes.subarray(offset - page * kPageBytes, end - page * kPageBytes);
  }
}

declare global {
  // Of workers.
  class FileReaderSync {
    readAsArrayBuffer(blob: Blob): ArrayBuffer;
  }
}

/** A file of a browser, in a worker: elsewhere nothing reads it without waiting. */
export class BlobSource extends Paged {
  private readonly reader = new FileReaderSync();

  constructor(private readonly blob: Blob) {
    super();
  }

  get size() {
    return this.blob.size;
  }

  protected fetch(begin: number, end: number) {
    return new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(begin, end)));
  }
}
