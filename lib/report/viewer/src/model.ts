// An analysis as the views see it: tables by column, the tree of boxes for modules and long rows of nodes, and which
// kernel feeds which.
import { type Cell, type Document, type Fields, make, type Table } from "./data.js";
import * as format from "./format.js";

// A box of the tree: a module, or a part of one with too many members to view side by side.
export interface Box {
  id: number;
  kind: "module" | "part";
  name: string;
  path: string; // of the module it is or belongs to
  parent: number; // -1 = none
  depth: number;
  boxes: number[];
  nodes: number[]; // those in no box of it
  first: number; // least id of a node
  count: number; // nodes inside, at any depth
  time_s: number; // what is known of it
  isPartial: boolean; // a kernel inside has no time
  energy_j: number;
  macs: number;
  row: number; // in modules; -1 of parts
  isConstants: boolean; // holds nothing else
  alike: number; // of a part of equal modules in a row: how many
}

// Of a box before it is divided: a phone shows a dozen boxes that can be read.
const isNarrow = matchMedia("(max-width: 600px)").matches;
const kMostMembers = isNarrow ? 12 : 160;
const kPartMembers = isNarrow ? 6 : 64;
const kLooseConstants = 4; // more of them go into a part of their own
const kLeastRun = 3; // equal modules in a row that become one part

// A text that may continue `before`.
function after(before: string, text: string): string {
  if (!text.startsWith("~")) return text;
  return text.startsWith("~~") ? text.slice(1) : before + text.slice(1);
}

// Of each of `size` owners the rows that name it.
function members(size: number, owners: Float64Array): Cell[][] {
  const lists: Cell[][] = make(size, () => []);
  owners.forEach((owner, row) => lists[owner]?.push(row));
  return lists;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + (number || 0), 0);

export class Analysis {
  readonly nodes: Table;
  readonly groups: Table;
  readonly segments: Table;
  readonly units: Table;
  readonly bounds: Table;
  readonly modules: Table;
  readonly values: Table;
  readonly lifetimes: Table;
  readonly roofs: Table;
  readonly fallback: Table;
  readonly diagnostics: Table;
  readonly answer: Table; // lines of the text report
  readonly words: Fields; // what that says besides
  readonly verdict: string; // the answer in a sentence; "" without a target
  readonly whatIf: Table | null;
  readonly generation: Table | null; // by length of the context
  readonly measured: Fields | null; // totals of a measured profile
  readonly request: Fields;
  readonly summary: Fields;
  readonly model: Fields;
  readonly coverage: Fields;
  readonly hasPlan: boolean;

  readonly groupOf: Int32Array; // by node, -1 = none
  readonly rootOf: Int32Array; // by group
  readonly leafOf: Int32Array; // by node: the root of its group, else itself
  private readonly anchorOf: Int32Array; // by group: its most expensive node, in whose module it counts
  readonly boxes: Box[] = [];
  readonly boxOf: Int32Array; // by node
  readonly latency_s: number; // what is known of it
  readonly isIncomplete: boolean; // a node has no time
  private producers: Int32Array | null = null; // by value, -1 = none
  private consumersByValue: number[][] | null = null;
  private readonly boxByPath = new Map<string, number>();
  private namesToNodes: Map<string, number> | null = null;

  constructor(readonly document: Document) {
    this.nodes = document.table("nodes");
    this.groups = document.table("groups");
    this.segments = document.table("segments");
    this.units = document.table("units");
    this.bounds = document.table("bounds");
    this.modules = document.table("modules");
    this.values = document.table("values");
    this.lifetimes = document.table("lifetimes");
    this.roofs = document.table("roofs");
    this.fallback = document.table("fallback");
    this.diagnostics = document.table("diagnostics");
    this.answer = document.table("answer");
    this.words = document.fields("words");
    this.verdict = document.text("verdict");
    this.generation = document.has("generation") ? document.table("generation") : null;
    this.whatIf = document.has("what_if") ? document.table("what_if") : null;
    this.measured = document.has("measured") ? document.fields("measured") : null;
    this.request = document.fields("request");
    this.summary = document.fields("summary");
    this.model = document.fields("model");
    this.coverage = document.fields("coverage");
    this.hasPlan = this.groups.size > 0;
    this.derive();
    this.latency_s = format.numberOf(this.summary["latency_s"]);
    this.isIncomplete = this.summary["incomplete"] === true;
    this.groupOf = new Int32Array(make(this.nodes.size, (node) => {
      const group = this.nodes.cell("group", node);
      return typeof group === "number" ? group : -1;
    }));
    this.rootOf = new Int32Array(this.groups.numbers("root"));
    this.leafOf = this.groupOf.map((group, node) => (group < 0 ? node : this.rootOf[group]!));
    this.anchorOf = this.rootOf.map((root, group) => this.costliest(group, root));
    this.boxOf = new Int32Array(this.nodes.size).fill(-1);
    this.makeBoxes();
  }

  // Columns that the page does not carry because they follow from others.
  private derive(): void {
    const { nodes, groups, segments, modules, values } = this;
    const known = (numbers: Float64Array): Cell[] => make(numbers.length,
                                                          (i) => (Number.isNaN(numbers[i]) ? null : numbers[i]!));
    groups.derive("end_s", () => {
      const times = groups.numbers("time_s");
      let end = 0;
      return known(groups.numbers("wait_s").map((wait, group) => (Number.isNaN(wait) ? NaN
                                                                  : (end += wait + times[group]!))));
    });
    groups.derive("start_s", () => {
      const times = groups.numbers("time_s");
      return known(groups.numbers("end_s").map((end, group) => end - times[group]!));
    });
    // What its memory step begins and ends with: steps follow each other without gaps.
    groups.derive("held_until_s", (packed) => {
      const ends = groups.column("end_s");
      return packed().map((end, group) => end ?? ends[group] ?? null);
    });
    groups.derive("held_from_s", () => {
      let now = 0;
      return known(groups.numbers("held_until_s").map((end) => {
        const from = now;
        if (!Number.isNaN(end)) now = end;
        return Number.isNaN(end) ? NaN : from;
      }));
    });
    groups.derive("nodes", () => members(groups.size, nodes.numbers("group")));
    groups.derive("name", () => make(groups.size, (row) => this.label(this.rootOf[row]!)));
    segments.derive("groups", () => members(segments.size, groups.numbers("segment")));
    nodes.derive("unit", () => make(nodes.size, (row) => {
      const group = this.groupOf[row]!;
      return group < 0 ? null : groups.cell("unit", group);
    }));
    modules.derive("path", (packed) => {
      const paths: string[] = [];
      packed().forEach((path, row) => {
        const parent = paths[modules.number("parent_index", row)] ?? "";
        paths.push(after(parent === "" ? "" : `${parent}/`, String(path)));
      });
      return paths;
    });
    nodes.derive("module", () => {
      const paths = modules.column("path"), rows = nodes.numbers("module_index");
      return make(nodes.size, (row) => paths[rows[row]!] ?? null);
    });
    nodes.derive("name", (packed) => {
      const modulesOf = nodes.column("module");
      return packed().map((name, row) => after(modulesOf[row] ? `/${String(modulesOf[row])}` : "", String(name)));
    });
    values.derive("name", (packed) => {
      const names = packed();
      const outputs = nodes.column("outputs"), own = nodes.column("name");
      nodes.column("output_ids").forEach((ids, node) => (ids as Cell[]).forEach((value, i) => {
        if (typeof value === "number") names[value] = after(String(own[node]), String((outputs[node] as Cell[])[i]));
      }));
      return names;
    });
  }

  // The figure of a line of the answer, and what stands beside it.
  answerOf(name: string): string {
    const row = this.answer.column("name").indexOf(name);
    return row < 0 ? format.kUnknown : this.answer.text("figure", row);
  }
  restOf(name: string): string {
    return this.answer.list("rest", this.answer.column("name").indexOf(name)).join(", ");
  }
  // "at least 1.2 ms", and of the whole.
  timeOf(box: Box): string {
    return format.atLeast(format.seconds(box.time_s), box.time_s, box.isPartial);
  }
  shareOf(box: Box): string {
    return box.isPartial && !(box.time_s > 0) ? "-" : format.shareOf(box.time_s, this.latency_s);
  }
  get root(): Box {
    return this.boxes[0]!;
  }
  label(node: number): string {
    return this.nodes.text("label", node) || this.nodes.text("name", node) || `#${node}`;
  }
  isConstant(node: number): boolean {
    return this.nodes.cell("class", node) === "constant";
  }
  // What totals leave out: folded before run time, or read by nothing.
  isUnrun(node: number): boolean {
    return this.isConstant(node) || this.nodes.cell("class", node) === "dead";
  }
  // On no unit, as the plan needs none for it: a view, or what compilers leave out.
  needsNoKernel(node: number): boolean {
    return this.hasPlan && this.groupOf[node]! < 0;
  }
  // Whether pictures draw a box for the node: for its whole group at the root of that.
  isLeaf(node: number): boolean {
    return this.leafOf[node] === node;
  }
  // The leaf whose place is that of the node; -1 = its group has another place.
  leafAt(node: number): number {
    const group = this.groupOf[node]!;
    if (group < 0) return node;
    return this.anchorOf[group] === node ? this.rootOf[group]! : -1;
  }
  // The box in which a leaf has its place.
  placeOf(leaf: number): number {
    const group = this.groupOf[leaf]!;
    return this.boxOf[group < 0 ? leaf : this.anchorOf[group]!]!;
  }
  private costliest(group: number, root: number): number {
    const macs = this.nodes.numbers("macs");
    return (this.groups.list("nodes", group) as number[]).reduce(
      (best, node) => ((macs[node] || 0) > (macs[best] || 0) ? node : best), root);
  }
  // Figures of what a leaf stands for; NaN = unknown.
  groupNumber(key: string, node: number): number {
    const group = this.groupOf[node]!;
    return group < 0 ? NaN : this.groups.number(key, group);
  }
  movedBytes(group: number): number {
    const { groups } = this;
    return groups.number("in_bytes", group) + groups.number("weight_bytes", group) + groups.number("out_bytes", group);
  }
  // When a segment has its inputs and is started, and ends.
  segmentTimes(segment: number): { invoked: number; end: number } {
    const { segments } = this;
    const invoked = segments.number("start_s", segment) + (segments.number("transfer_s", segment) || 0) +
      (segments.number("invoke_s", segment) || 0);
    return { invoked, end: invoked + (segments.number("time_s", segment) || 0) };
  }
  // Whether all groups of a segment run at the same time.
  isPipeline(segment: number): boolean {
    return !Number.isNaN(this.segments.number("contexts", segment));
  }
  get hasPipelines(): boolean {
    return this.segments.numbers("contexts").some((count) => !Number.isNaN(count));
  }
  // When a group runs: one of a pipeline as long as that does.
  spanOf(group: number): [from: number, to: number] {
    const segment = this.groups.number("segment", group);
    if (!this.isPipeline(segment)) return [this.groups.number("start_s", group), this.groups.number("end_s", group)];
    const { invoked, end } = this.segmentTimes(segment);
    return [invoked, end];
  }
  unitOf(node: number): string {
    const group = this.groupOf[node]!;
    return group < 0 ? "" : this.groups.text("unit", group);
  }
  boundOf(node: number): string {
    const group = this.groupOf[node]!;
    return group < 0 ? "" : this.groups.text("bound", group);
  }

  producer(value: number): number {
    if (this.producers === null) {
      const producers = new Int32Array(this.values.size).fill(-1);
      this.nodes.column("output_ids").forEach((values, node) => {
        for (const made of values as Cell[]) if (typeof made === "number") producers[made] = node;
      });
      this.producers = producers;
    }
    return this.producers[value] ?? -1;
  }
  consumers(value: number): number[] {
    if (this.consumersByValue === null) {
      const readers: number[][] = make(this.values.size, () => []);
      for (let node = 0; node < this.nodes.size; ++node) {
        for (const input of new Set(this.nodes.list("input_ids", node))) {
          if (typeof input === "number") readers[input]?.push(node);
        }
      }
      this.consumersByValue = readers;
    }
    return this.consumersByValue[value] ?? [];
  }

  // The leaves that a node reads from. What only passes a tensor on (a view) is looked through where `through` says so;
  // constants and arithmetic on shapes feed nothing.
  sources(node: number, through: (node: number) => boolean): number[] {
    const found = new Set<number>();
    const open: [reader: number, input: unknown][] = this.members(node).flatMap((member) =>
      this.nodes.list("input_ids", member).map((input): [number, unknown] => [member, input]),
    );
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [reader, input] = next;
      const producer = typeof input === "number" ? this.producer(input) : -1;
      if (producer < 0 || this.isConstant(producer)) continue;
      if (!through(producer)) {
        if (this.leafOf[producer] !== this.leafOf[reader]) found.add(this.leafOf[producer]!);
      } else if (this.nodes.cell("class", producer) !== "shape") {
        // Any operand may be the one that is passed on: the addition of zero has no own kernel.
        for (const passed of this.nodes.list("input_ids", producer)) open.push([reader, passed]);
      }
    }
    return [...found];
  }
  // The nodes that a leaf stands for.
  members(node: number): number[] {
    const group = this.groupOf[node]!;
    return group < 0 ? [node] : (this.groups.list("nodes", group) as number[]);
  }

  // A node by its name, label, the name of one of its outputs, #id or gID; -1 = none.
  find(text: string): number {
    if (this.namesToNodes === null) {
      const names = new Map<string, number>();
      const add = (name: string, node: number): void => {
        if (name !== "" && !names.has(name)) names.set(name, node);
      };
      for (let node = 0; node < this.nodes.size; ++node) add(this.nodes.text("name", node), node);
      for (let node = 0; node < this.nodes.size; ++node) add(this.label(node), node);
      for (let value = 0; value < this.values.size; ++value) {
        if (this.producer(value) >= 0) add(this.values.text("name", value), this.producer(value));
      }
      this.namesToNodes = names;
    }
    const named = this.namesToNodes.get(text);
    if (named !== undefined) return named;
    const [, kind, digits] = /^(#|g)(\d+)$/.exec(text) ?? [];
    const id = Number(digits);
    if (kind === "#" && id < this.nodes.size) return id;
    if (kind === "g" && id < this.groups.size) return this.rootOf[id]!;
    return -1;
  }
  findBox(path: string): number {
    return this.boxByPath.get(path) ?? -1;
  }
  // From the root to the box itself.
  lineage(box: number): number[] {
    const line: number[] = [];
    for (let at = box; at >= 0; at = this.boxes[at]!.parent) line.unshift(at);
    return line;
  }
  isInside(leaf: number, box: number): boolean {
    for (let at = this.placeOf(leaf); at >= 0; at = this.boxes[at]!.parent) if (at === box) return true;
    return false;
  }

  private makeBoxes(): void {
    const { modules } = this;
    const rows = Math.max(1, modules.size);
    for (let row = 0; row < rows; ++row) {
      const path = modules.text("path", row);
      const parent = modules.size === 0 ? NaN : modules.number("parent_index", row);
      this.boxByPath.set(path, row);
      this.boxes.push({
        id: row, kind: "module", path, parent: Number.isNaN(parent) ? -1 : parent, depth: 0,
        name: row === 0 ? String(this.model["name"] ?? "") || "model" : path.slice(path.lastIndexOf("/") + 1),
        boxes: [], nodes: [], first: Infinity, count: modules.size === 0
          ? this.nodes.size : modules.number("nodes", row),
        time_s: modules.number("time_s", row), isPartial: false, energy_j: modules.number("energy_j", row),
        macs: modules.number("macs", row), row, isConstants: false, alike: 0,
      });
    }
    for (const box of this.boxes.slice(1)) {
      if (box.parent < 0 || box.parent >= box.id) box.parent = 0;
      this.boxes[box.parent]!.boxes.push(box.id);
    }
    this.root.time_s = this.latency_s;
    this.root.energy_j = format.numberOf(this.summary["energy_j"]);
    const moduleOf = this.nodes.column("module_index");
    for (let node = 0; node < this.nodes.size; ++node) {
      const module = moduleOf[node];
      this.boxes[typeof module === "number" ? module : 0]!.nodes.push(node);
    }
    this.settle(rows);
    this.foldRuns(rows);
    for (let row = 0; row < rows; ++row) this.divide(this.boxes[row]!);
    this.deepen();
    for (const box of this.boxes) for (const node of box.nodes) this.boxOf[node] = box.id;
    if (this.isIncomplete) this.findKnownTimes();
  }

  // Of boxes in which a kernel has no time, what the others take.
  private findKnownTimes(): void {
    const known = new Float64Array(this.boxes.length);
    for (const root of this.rootOf) {
      const time = this.groupNumber("time_s", root);
      for (const box of this.lineage(this.placeOf(root))) {
        if (Number.isNaN(time)) this.boxes[box]!.isPartial = true;
        else known[box]! += time;
      }
    }
    for (const box of this.boxes) if (box.isPartial && box !== this.root) box.time_s = known[box.id]!;
  }

  // Finds where modules begin and puts them in that order; rows of children come after their parent's.
  private settle(rows: number): void {
    for (let id = rows - 1; id >= 0; --id) {
      const box = this.boxes[id]!;
      box.boxes.sort((a, b) => this.boxes[a]!.first - this.boxes[b]!.first || a - b);
      box.first = Math.min(box.nodes[0] ?? Infinity, box.boxes.length > 0 ? this.boxes[box.boxes[0]!]!.first
                           : Infinity);
    }
  }
  // Modules in a row that hold as much of the same operators in the same order, such as the layers of an encoder,
  // become a part.
  private foldRuns(rows: number): void {
    const forms = new Map<string, number>();
    const formOf = new Int32Array(rows);
    const members = (box: Box): { first: number; box: number }[] => [
      ...box.boxes.map((id) => ({ first: this.boxes[id]!.first, box: id })),
      ...box.nodes.filter((node) => !this.isConstant(node)).map((node) => ({ first: node, box: -1 })),
    ].sort((a, b) => a.first - b.first);
    for (let id = rows - 1; id >= 0; --id) {
      const all = members(this.boxes[id]!);
      const form = [this.modules.number("macs", id), this.modules.number("params", id),
                    ...all.map(({ first, box }) => (box < 0 ? this.nodes.text("op", first) : formOf[box]))].join();
      if (!forms.has(form)) forms.set(form, forms.size);
      formOf[id] = forms.get(form)!;
      let run: number[] = [];
      for (const { box } of [...all, { box: -1 }]) {
        if (box >= 0 && run.length > 0 && formOf[box] === formOf[run[0]!]) {
          run.push(box);
          continue;
        }
        if (run.length >= kLeastRun && this.boxes[run[0]!]!.count > 1) this.foldRun(this.boxes[id]!, run);
        run = box < 0 ? [] : [box];
      }
    }
  }
  private foldRun(parent: Box, run: number[]): void {
    const called = (id: number): string => this.boxes[id]!.name;
    const part = this.part(parent, `${run.length} × ${called(run[0]!)} to ${called(run[run.length - 1]!)}`,
                           run.map((box) => ({ box, node: -1 })));
    part.alike = run.length;
    parent.boxes.splice(parent.boxes.indexOf(run[0]!), run.length, part.id);
    if (run.length > kMostMembers) this.divideMembers(part);
  }
  private deepen(): void {
    const open = [0];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const child of this.boxes[id]!.boxes) {
        this.boxes[child]!.depth = this.boxes[id]!.depth + 1;
        open.push(child);
      }
    }
  }

  private part(parent: Box, name: string, members: { box: number; node: number }[]): Box {
    const nodes = members.filter((member) => member.box < 0).map((member) => member.node);
    const boxes = members.filter((member) => member.box >= 0).map((member) => member.box);
    const inside = boxes.map((box) => this.boxes[box]!);
    const leaves = nodes.filter((node) => this.leafAt(node) >= 0);
    const part: Box = {
      id: this.boxes.length, kind: "part", name, path: parent.path, parent: parent.id, depth: 0, boxes, nodes,
      first: Math.min(nodes[0] ?? Infinity, ...inside.map((box) => box.first)),
      count: nodes.length + sum(inside.map((box) => box.count)),
      isPartial: false,
      time_s: sum([...leaves.map((node) => this.groupNumber("time_s", node)), ...inside.map((box) => box.time_s)]),
      energy_j: sum([...leaves.map((node) => this.groupNumber("energy_j", node)),
                     ...inside.map((box) => box.energy_j)]),
      macs: sum([...nodes.filter((node) => !this.isUnrun(node)).map((node) => this.nodes.number("macs", node)),
                 ...inside.map((box) => box.macs)]),
      row: -1, alike: 0,
      isConstants: nodes.length > 0 && boxes.length === 0 && nodes.every((node) => this.isConstant(node)),
    };
    for (const box of inside) box.parent = part.id;
    this.boxes.push(part);
    return part;
  }

  // No picture or list has more than some hundred members side by side: constants go into a part, then neighbours do.
  private divide(box: Box): void {
    const constants = box.nodes.filter((node) => this.isConstant(node) &&
                                       (this.groupOf[node]! < 0 || this.leafAt(node) < 0));
    let folder: Box | null = null;
    if (constants.length > kLooseConstants && constants.length < box.nodes.length + box.boxes.length) {
      const isApart = new Set(constants);
      box.nodes = box.nodes.filter((node) => !isApart.has(node));
      folder = this.part(box, `${constants.length} constants`, constants.map((node) => ({ box: -1, node })));
    }
    if (box.boxes.length + box.nodes.length > kMostMembers) this.divideMembers(box);
    if (folder === null) return;
    box.boxes.push(folder.id);
    if (folder.nodes.length > kMostMembers) this.divideMembers(folder);
  }
  private divideMembers(box: Box): void {
    const members = [
      ...box.boxes.map((id) => ({ box: id, node: this.boxes[id]!.first })),
      ...box.nodes.map((node) => ({ box: -1, node })),
    ].sort((a, b) => a.node - b.node || a.box - b.box);
    let size = kPartMembers;
    while (members.length / size > kMostMembers) size *= kPartMembers;
    box.boxes = [];
    box.nodes = [];
    for (let begin = 0; begin < members.length; begin += size) {
      const slice = members.slice(begin, begin + size);
      const called = ({ box: id, node }: { box: number; node: number }): string => (id < 0 ? `#${node}`
                                                                                    : this.boxes[id]!.name);
      const part = this.part(box, `${called(slice[0]!)} to ${called(slice[slice.length - 1]!)}`, slice);
      if (box.alike > 0) part.alike = slice.length;
      box.boxes.push(part.id);
      if (slice.length > kMostMembers) this.divideMembers(part);
    }
  }
}
