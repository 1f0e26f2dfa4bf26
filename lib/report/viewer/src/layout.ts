// Layers from top to bottom for the members of one box, at most a few hundred: longest paths, sweeps that align
// neighbours, and columns side by side where a long chain would make a strip.

export type Point = [number, number];
export interface Size {
  width: number;
  height: number;
}
export interface Layout extends Size {
  at: Point[]; // of each member its upper left corner
  paths: Point[][]; // of each edge
}

const kGapX = 18;
const kGapY = 30;
const kColumnGap = 44;
const kSweeps = 4;
const kMostBends = 4000;
const kBestShape = 1.5; // width over height
const kLeastLayersOfColumns = 9;

interface Vertex extends Size {
  layer: number;
  x: number; // of its centre
  above: number[];
  below: number[];
}

// Members come in an order in which most edges point forwards.
function layersOf(members: number, edges: [number, number][]): Int32Array {
  const layer = new Int32Array(members);
  const byEnd = [...edges].sort((a, b) => a[0] - b[0]);
  for (const [from, to] of byEnd) layer[to] = Math.max(layer[to]!, layer[from]! + 1);
  const hasSource = new Uint8Array(members);
  const least = new Int32Array(members).fill(-1);
  for (const [from, to] of edges) {
    hasSource[to] = 1;
    least[from] = least[from]! < 0 ? layer[to]! : Math.min(least[from]!, layer[to]!);
  }
  for (let i = 0; i < members; ++i) if (!hasSource[i] && least[i]! > 0) layer[i] = least[i]! - 1;
  return layer;
}

// The places nearest to the wished ones that keep their order and distance: neighbours that would overlap move as one.
function spread(wished: number[], distance: number[]): number[] {
  const blocks: { sum: number; size: number }[] = [];
  const offsets: number[] = [];
  wished.forEach((wish, i) => {
    offsets.push(i === 0 ? 0 : offsets[i - 1]! + distance[i - 1]!);
    let block = { sum: wish - offsets[i]!, size: 1 };
    for (let last = blocks[blocks.length - 1]; last && last.sum / last.size > block.sum / block.size;
         last = blocks[blocks.length - 1]) {
      blocks.pop();
      block = { sum: block.sum + last.sum, size: block.size + last.size };
    }
    blocks.push(block);
  });
  return blocks.flatMap((block) => new Array<number>(block.size).fill(block.sum / block.size))
    .map((base, i) => base + offsets[i]!);
}

// Layers that are wider than `most` as rows of it, one below the other.
function wrapped(layer: Int32Array, sizes: Size[], order: number[], most: number): Int32Array {
  const rows = new Int32Array(layer.length);
  let row = -1, last = -1, used = 0;
  for (const i of order) {
    const width = sizes[i]!.width + kGapX;
    if (layer[i] !== last || used + width > most + kGapX) {
      ++row;
      used = 0;
    }
    last = layer[i]!;
    used += width;
    rows[i] = row;
  }
  return rows;
}

const mean = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;

class Layering {
  private readonly vertices: Vertex[] = [];
  private readonly chains: number[][] = []; // of each edge the vertices it passes
  private readonly layers: number[][] = [];

  constructor(private readonly sizes: Size[], edges: [number, number][], most: number) {
    const forward = edges.map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
    const plain = layersOf(sizes.length, forward);
    const order = sizes.map((_, i) => i).sort((a, b) => plain[a]! - plain[b]! || a - b);
    const layer = wrapped(plain, sizes, order, most);
    sizes.forEach((size, i) => this.add(layer[i]!, size));
    let bends = 0;
    for (const [from, to] of forward) {
      const chain = [from];
      const span = layer[to]! - layer[from]!;
      if (bends + span < kMostBends) {
        for (let at = layer[from]! + 1; at < layer[to]!; ++at) chain.push(this.add(at, { width: 4, height: 0 }));
        bends += span;
      }
      chain.push(to);
      for (let i = 1; i < chain.length; ++i) {
        this.vertices[chain[i - 1]!]!.below.push(chain[i]!);
        this.vertices[chain[i]!]!.above.push(chain[i - 1]!);
      }
      this.chains.push(chain);
    }
  }

  private add(layer: number, size: Size): number {
    this.vertices.push({ ...size, layer, x: 0, above: [], below: [] });
    (this.layers[layer] ??= []).push(this.vertices.length - 1);
    return this.vertices.length - 1;
  }

  layout(form: number): Layout {
    this.order();
    this.place();
    return this.stack(form);
  }

  private order(): void {
    const position = new Float64Array(this.vertices.length);
    for (const layer of this.layers) layer.forEach((vertex, i) => (position[vertex] = i));
    for (let sweep = 0; sweep < kSweeps; ++sweep) {
      const down = sweep % 2 === 0;
      for (const layer of down ? this.layers : [...this.layers].reverse()) {
        const wish = new Map(layer.map((vertex) => {
          const near = down ? this.vertices[vertex]!.above : this.vertices[vertex]!.below;
          return [vertex, near.length === 0 ? position[vertex]! : mean(near.map((other) => position[other]!))];
        }));
        layer.sort((a, b) => wish.get(a)! - wish.get(b)! || a - b);
        layer.forEach((vertex, i) => (position[vertex] = i));
      }
    }
  }

  private place(): void {
    for (let sweep = 0; sweep < 2 * kSweeps; ++sweep) {
      const down = sweep % 2 === 0;
      for (const layer of down ? this.layers : [...this.layers].reverse()) {
        const wished = layer.map((id) => {
          const vertex = this.vertices[id]!;
          const near = down ? vertex.above : vertex.below;
          return near.length === 0 ? vertex.x : mean(near.map((other) => this.vertices[other]!.x));
        });
        const distance = layer.slice(1).map((id, i) =>
          (this.vertices[id]!.width + this.vertices[layer[i]!]!.width) / 2 + kGapX);
        spread(wished, distance).forEach((x, i) => (this.vertices[layer[i]!]!.x = x));
      }
    }
    const left = Math.min(...this.vertices.map((vertex) => vertex.x - vertex.width / 2));
    for (const vertex of this.vertices) vertex.x -= left;
  }

  // Where columns begin: every so many layers, where the fewest edges are cut.
  private columnStarts(heights: number[], width: number, form: number): number[] {
    const total = heights.reduce((a, b) => a + b + kGapY, 0);
    const columns = Math.round(Math.sqrt((form * total) / (width + kColumnGap)));
    if (columns < 2 || this.layers.length < kLeastLayersOfColumns) return [0];
    const cuts = this.layers.map((layer) => layer.reduce((sum, id) => sum + this.vertices[id]!.above.length, 0));
    const starts = [0];
    let used = 0;
    for (let i = 0; i < heights.length; ++i) {
      if (used > total / columns && (cuts[i]! <= 1 || used > (1.15 * total) / columns) && i + 1 < heights.length) {
        starts.push(i);
        used = 0;
      }
      used += heights[i]! + kGapY;
    }
    return starts;
  }

  private stack(form: number): Layout {
    const heights = this.layers.map((layer) => Math.max(...layer.map((id) => this.vertices[id]!.height)));
    const width = Math.max(...this.vertices.map((vertex) => vertex.x + vertex.width / 2));
    const starts = this.columnStarts(heights, width, form);
    const columnOf: number[] = [];
    const middle: number[] = [];
    const lefts: number[] = [], shifts: number[] = [];
    let right = 0, bottom = 0;
    starts.forEach((start, column) => {
      const end = starts[column + 1] ?? heights.length;
      const members = this.layers.slice(start, end).flat().map((id) => this.vertices[id]!);
      const least = Math.min(...members.map((vertex) => vertex.x - vertex.width / 2));
      const most = Math.max(...members.map((vertex) => vertex.x + vertex.width / 2));
      lefts.push(right);
      shifts.push(right - least);
      right += most - least + kColumnGap;
      let y = starts.length > 1 ? kGapY : 0;
      for (let layer = start; layer < end; ++layer) {
        columnOf[layer] = column;
        middle[layer] = y + heights[layer]! / 2;
        y += heights[layer]! + kGapY;
      }
      bottom = Math.max(bottom, y - (starts.length > 1 ? 0 : kGapY));
    });
    const center = (id: number): Point => {
      const vertex = this.vertices[id]!;
      return [vertex.x + shifts[columnOf[vertex.layer]!]!, middle[vertex.layer]!];
    };
    const route = (chain: number[]): Point[] => {
      const path: Point[] = [];
      for (let i = 1; i < chain.length; ++i) {
        const above = this.vertices[chain[i - 1]!]!, below = this.vertices[chain[i]!]!;
        const [x1, y1] = center(chain[i - 1]!), [x2, y2] = center(chain[i]!);
        const from: Point = [x1, y1 + above.height / 2], to: Point = [x2, y2 - below.height / 2];
        if (columnOf[above.layer] === columnOf[below.layer]) {
          path.push(...curve(from, to));
        } else {
          const gutter = lefts[columnOf[below.layer]!]! - kColumnGap / 2;
          path.push(from, [x1, bottom - 6], [gutter, bottom - 6], [gutter, 6], [x2, 6], to);
        }
      }
      return path;
    };
    return {
      width: right - kColumnGap, height: bottom,
      at: this.sizes.map((size, i) => {
        const [x, y] = center(i);
        return [x - size.width / 2, y - size.height / 2];
      }),
      paths: this.chains.map(route),
    };
  }
}

// From one point down to another, leaving and arriving upright.
function curve([x1, y1]: Point, [x2, y2]: Point): Point[] {
  if (Math.abs(x1 - x2) < 1) return [[x1, y1], [x2, y2]];
  return Array.from({ length: 7 }, (_, i): Point => {
    const t = i / 6, s = 3 * t * t - 2 * t * t * t;
    return [x1 + (x2 - x1) * s, y1 + (y2 - y1) * t];
  });
}

// `form` is width over height of the place for it, `most` the width that members side by side may take.
export function layered(sizes: Size[], edges: [number, number][], form = kBestShape, most = Infinity): Layout {
  if (sizes.length === 0) return { width: 0, height: 0, at: [], paths: [] };
  return new Layering(sizes, edges, most).layout(form);
}
