// The page's data: for each analysis one script element of base64 text, the raw deflate of the JSON document with its
// tables as columns; lib/report/page_data.h describes the form.

export type Cell = null | boolean | number | string | Cell[] | { [key: string]: Cell };
export type Fields = { [key: string]: Cell };

type PackedColumn = Cell[] | { of: Cell[]; at?: number[] };
interface Packed {
  size: number;
  chunk: number;
  columns: string[];
  differences: string[];
  chunks: PackedColumn[][];
}

const isPacked = (cell: unknown): cell is Packed =>
  typeof cell === "object" && cell !== null && "chunks" in cell && "columns" in cell;

function unpacked(table: Packed, column: number): Cell[] {
  const cells: Cell[] = [];
  table.chunks.forEach((chunk, i) => {
    const own = chunk[column]!;
    if (Array.isArray(own)) {
      for (const cell of own) cells.push(cell);
    } else if (own.at !== undefined) {
      for (const place of own.at) cells.push(own.of[place]!);
    } else {
      const end = Math.min(table.size, (i + 1) * table.chunk);
      while (cells.length < end) cells.push(own.of[0]!);
    }
  });
  return cells;
}

// What differences add up to. Lists are made anew: equal ones share theirs.
function summed(cells: Cell[]): Cell[] {
  let last = 0;
  return cells.map((cell) => {
    if (typeof cell === "number") return (last += cell);
    if (!Array.isArray(cell)) return cell;
    let before = last, isFirst = true;
    return cell.map((element) => {
      if (typeof element !== "number") return element;
      before += element;
      if (isFirst) last = before;
      isFirst = false;
      return before;
    });
  });
}

// As Array.from, in a loop that engines make fast.
export function make<T>(size: number, of: (i: number) => T): T[] {
  const list = new Array<T>(size);
  for (let i = 0; i < size; ++i) list[i] = of(i);
  return list;
}

// A table by columns, which are unpacked when they are first looked at. Columns that the document lacks read as null.
export class Table {
  readonly size: number;
  private readonly cells = new Map<string, Cell[]>();
  private readonly figures = new Map<string, Float64Array>();
  private readonly makers = new Map<string, () => Cell[]>();

  constructor(packed: Packed | null) {
    this.size = packed?.size ?? 0;
    packed?.columns.forEach((key, i) => this.makers.set(key, () => {
      const cells = unpacked(packed, i);
      return packed.differences.includes(key) ? summed(cells) : cells;
    }));
  }

  column(key: string): Cell[] {
    let cells = this.cells.get(key);
    if (cells === undefined) {
      cells = this.makers.get(key)?.() ?? [];
      this.cells.set(key, cells);
    }
    return cells;
  }
  cell(key: string, row: number): Cell {
    return this.column(key)[row] ?? null;
  }
  // "" where it is null.
  text(key: string, row: number): string {
    const cell = this.cell(key, row);
    return typeof cell === "string" ? cell : cell === null ? "" : String(cell);
  }
  // NaN where it is null or a formula.
  number(key: string, row: number): number {
    return this.numbers(key)[row] ?? NaN;
  }
  list(key: string, row: number): Cell[] {
    const cell = this.cell(key, row);
    return Array.isArray(cell) ? cell : [];
  }
  numbers(key: string): Float64Array {
    let figures = this.figures.get(key);
    if (figures === undefined) {
      const cells = this.column(key);
      figures = new Float64Array(this.size);
      for (let i = 0; i < this.size; ++i) {
        const cell = cells[i];
        figures[i] = typeof cell === "number" ? cell : NaN;
      }
      this.figures.set(key, figures);
    }
    return figures;
  }
  // Adds a column that follows from others, or puts another in the place of the one that is there.
  derive(key: string, of: (packed: () => Cell[]) => Cell[]): void {
    const packed = this.makers.get(key) ?? (() => []);
    this.makers.set(key, () => of(packed));
  }
}

export class Document {
  private readonly parts: { [key: string]: Cell | Packed };
  private readonly tables = new Map<string, Table>();

  constructor(text: string) {
    this.parts = JSON.parse(text);
  }
  get kind(): string {
    return String(this.parts["kind"]);
  }
  has(key: string): boolean {
    return (this.parts[key] ?? null) !== null;
  }
  // "" where it is null or none.
  text(key: string): string {
    const part = this.parts[key];
    return typeof part === "string" ? part : "";
  }
  table(key: string): Table {
    let table = this.tables.get(key);
    if (table === undefined) {
      const part = this.parts[key];
      table = new Table(isPacked(part) ? part : null);
      this.tables.set(key, table);
    }
    return table;
  }
  // An object; {} where it is null.
  fields(key: string): Fields {
    const part = this.parts[key];
    return typeof part === "object" && part !== null && !Array.isArray(part) && !isPacked(part) ? part : {};
  }
}

export async function inflate(base64: string): Promise<string> {
  const packed = atob(base64);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; ++i) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

export const dataElements = (): Element[] => [...document.querySelectorAll("script[type='application/octet-stream']")];

// The documents of the page, the first one first.
export async function readDocuments(): Promise<Document[]> {
  return Promise.all(dataElements().map(async (element) => new Document(await inflate(element.textContent!.trim()))));
}
