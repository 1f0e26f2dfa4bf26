// The tables, a screen of rows at a time: sorted by any column, filtered like the pictures, one row selected.
import { button, download, h, name, select } from "./dom.js";
import * as format from "./format.js";
import type { Analysis } from "./model.js";
import type { Change, State } from "./state.js";
import { type Cell, make, type Table } from "./data.js";

interface Column {
  head: string;
  value: (row: number) => string | number; // NaN = unknown
  show?: (value: number) => string; // of numbers
  isName?: boolean;
  hasBar?: boolean; // its share of 1 as a bar
}
interface Kind {
  label: string;
  rows: (state: State) => number[]; // that pass the filter
  count: (analysis: Analysis) => number;
  columns: (analysis: Analysis) => Column[];
  sortedBy: string; // first, downwards
  node?: (analysis: Analysis, row: number) => number;
  box?: (analysis: Analysis, row: number) => number;
}

const kRowHeight = 27;
const kScreenOnly = ["FLOP", "FLOP/B", "Low", "High", "Utilisation", "Module"]; // paper has no room for them
const kBeyond = 12; // rows kept above and below the screen

const numbers = (head: string, table: Table, key: string, show: (value: number) => string): Column =>
  ({ head, value: (row) => table.number(key, row), show });
const texts = (head: string, table: Table, key: string): Column => ({ head, value: (row) => table.text(key, row) });
const names = (head: string, table: Table, key: string): Column => ({ ...texts(head, table, key), isName: true });
// Counts may be formulas.
const counts = (head: string, table: Table, key: string): Column => ({
  head, show: format.count,
  value: (row) => {
    const cell: Cell = table.cell(key, row);
    return typeof cell === "string" ? cell : table.number(key, row);
  },
});
const all = (table: Table): number[] => make(table.size, (row) => row);
const shareOf = (analysis: Analysis, table: Table): Column => ({
  head: "Share", hasBar: true, show: format.percent, value: (row) => table.number("time_s", row) / analysis.latency_s,
});

const kKinds: { [key: string]: Kind } = {
  Groups: {
    label: "Kernels", count: ({ groups }) => groups.size, sortedBy: "Time",
    node: (analysis, row) => analysis.rootOf[row]!,
    rows: (state) => all(state.analysis.groups).filter((group) => state.groupPasses[group] === 1),
    columns: (analysis) => {
      const { groups, nodes, rootOf } = analysis;
      return [
        { head: "Id", value: (row) => row, show: (id) => `g${id}` },
        numbers("Time", groups, "time_s", format.seconds), ...(analysis.measured === null ? [] : [
          numbers("Measured", groups, "measured_s", format.seconds),
          numbers("Ratio", groups, "measured_ratio", format.ratio)]),
        shareOf(analysis, groups),
        texts("Bound", groups, "bound"), texts("Unit", groups, "unit"), texts("Precision", groups, "precision"),
        texts("Kernel", groups, "pattern"), names("Node", groups, "name"),
        numbers("MACs", groups, "macs", format.count), numbers("FLOP", groups, "flops", format.count),
        { head: "Moved", value: (row) => analysis.movedBytes(row), show: format.bytes },
        numbers("FLOP/B", groups, "intensity", format.ratio), numbers("Energy", groups, "energy_j", format.joules),
        numbers("Low", groups, "low_s", format.seconds), numbers("High", groups, "high_s", format.seconds),
        numbers("Utilisation", groups, "utilisation", format.percent),
        { head: "Module", isName: true, value: (row) => nodes.text("module", rootOf[row]!) },
      ];
    },
  },
  Nodes: {
    label: "Nodes", count: ({ nodes }) => nodes.size, sortedBy: "MACs", node: (_, row) => row,
    rows: (state) => all(state.analysis.nodes).filter((node) => state.nodePasses[node] === 1),
    columns: (analysis) => {
      const { nodes } = analysis;
      return [
        { head: "Id", value: (row) => row, show: (id) => `#${id}` },
        texts("Operator", nodes, "op"), { head: "Node", isName: true, value: (row) => analysis.label(row) },
        texts("Class", nodes, "class"), texts("Unit", nodes, "unit"),
        { head: "Kernel", value: (row) => (analysis.groupOf[row]! < 0 ? NaN : analysis.groupOf[row]!),
          show: (id) => `g${id}` },
        counts("MACs", nodes, "macs"), counts("FLOP", nodes, "flops"), counts("Params", nodes, "params"),
        numbers("In, in file", nodes, "in_bytes", format.bytes),
        numbers("Weights, in file", nodes, "weight_bytes", format.bytes),
        numbers("Out, in file", nodes, "out_bytes", format.bytes), names("Module", nodes, "module"),
      ];
    },
  },
  Segments: {
    label: "Segments", count: ({ segments }) => segments.size, sortedBy: "Time",
    node: (analysis, row) => analysis.rootOf[Number(analysis.segments.list("groups", row)[0] ?? 0)] ?? -1,
    rows: (state) => all(state.analysis.segments).filter((row) => state.filter.unit === "" ||
        state.analysis.segments.text("unit", row) === state.filter.unit),
    columns: ({ segments }) => [
      numbers("Id", segments, "id", format.plain), texts("Unit", segments, "unit"),
      { head: "Groups", value: (row) => segments.list("groups", row).length, show: format.plain },
      numbers("Time", segments, "time_s", format.seconds), numbers("Invoke", segments, "invoke_s", format.seconds),
      numbers("Transfer", segments, "transfer_s", format.seconds), numbers("In", segments, "in_bytes", format.bytes),
      numbers("Out", segments, "out_bytes", format.bytes), numbers("Energy", segments, "energy_j", format.joules),
      names("Starts here because", segments, "reason"),
    ],
  },
  Modules: {
    label: "Modules", count: ({ modules }) => modules.size, sortedBy: "Time", box: (_, row) => row,
    rows: (state) => {
      const { modules } = state.analysis;
      const text = state.filter.text.toLowerCase();
      return all(modules).filter((row) => modules.text("path", row).toLowerCase().includes(text));
    },
    columns: (analysis) => {
      const { modules } = analysis;
      return [
        { head: "Module", isName: true, value: (row) => modules.text("path", row) || "(whole model)" },
        texts("Class", modules, "class"), numbers("Nodes", modules, "nodes", format.plain),
        numbers("Time", modules, "time_s", format.seconds), shareOf(analysis, modules), counts("MACs", modules, "macs"),
        counts("FLOP", modules, "flops"), numbers("Params", modules, "params", format.count),
        numbers("Energy", modules, "energy_j", format.joules),
      ];
    },
  },
};

// Figures before words, and what is unknown last either way.
function sorted(rows: number[], value: (row: number) => string | number, isDown: boolean): number[] {
  const numbers: { row: number; key: number }[] = [], words: { row: number; key: string }[] = [],
  unknown: number[] = [];
  for (const row of rows) {
    const key = value(row);
    if (key === "" || Number.isNaN(key)) unknown.push(row);
    else if (typeof key === "number") numbers.push({ row, key });
    else words.push({ row, key });
  }
  const sign = isDown ? -1 : 1;
  numbers.sort((a, b) => sign * (a.key - b.key) || a.row - b.row);
  words.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.row - b.row));
  return [...numbers, ...words].map(({ row }) => row).concat(unknown);
}

export class TableView {
  readonly element: HTMLElement;
  private kind = "Groups";
  private columns: Column[] = [];
  private rows: number[] = [];
  private order: number[] | null = null; // every row as it is sorted, passing or not; null = not known yet
  private sort = { column: 0, isDown: true };
  private readonly scroller = h("div", { class: "scroller" });
  private readonly head = h("tr", { "aria-rowindex": 1 });
  private readonly body = h("tbody");
  private readonly table: HTMLTableElement;
  private readonly kinds: HTMLSelectElement;
  private readonly note = h("span", { class: "note" });
  private shownFrom = -1;
  private isStale = true;

  constructor(private readonly state: State) {
    this.kind = state.analysis.hasPlan ? "Groups" : "Nodes";
    this.table = h("table", { class: "rows" }, h("thead", {}, this.head), this.body);
    this.scroller.append(this.table);
    this.kinds = select("Rows of the table", Object.entries(kKinds).map(([value, { label }]) => ({ value, label })),
                        (kind) => this.choose(kind));
    this.kinds.value = this.kind;
    this.element = h("div", { class: "listing" },
      h("div", { class: "tools" }, this.kinds, button("CSV", { title: "Save the rows shown as CSV" },
                                                      () => this.save()), this.note), this.scroller);
    this.scroller.addEventListener("scroll", () => this.render());
    new ResizeObserver(() => this.render(true)).observe(this.scroller);
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => {
      const row = (event.target as Element).closest("tr");
      if (row?.dataset["row"] !== undefined) this.select(Number(row.dataset["row"]));
    });
    this.reset();
  }

  update(change: Change): void {
    if (change === "color" || change === "theme") return;
    if (change === "analysis") this.reset();
    else if (change === "filter") this.arrange();
    else this.render(true);
    if (change === "selection") this.reveal();
  }
  private choose(kind: string): void {
    this.kind = kind;
    this.reset();
  }
  private reset(): void {
    this.columns = kKinds[this.kind]!.columns(this.state.analysis);
    const first = this.columns.findIndex((column) => column.head === kKinds[this.kind]!.sortedBy);
    this.sort = { column: Math.max(0, first), isDown: true };
    this.order = null;
    this.table.setAttribute("aria-label", this.kind);
    this.arrange();
  }

  private arrange(): void {
    const kind = kKinds[this.kind]!;
    const count = kind.count(this.state.analysis);
    this.order ??= sorted(make(count, (row) => row), this.columns[this.sort.column]!.value, this.sort.isDown);
    const passes = new Uint8Array(count);
    for (const row of kind.rows(this.state)) passes[row] = 1;
    this.rows = this.order.filter((row) => passes[row] === 1);
    this.table.setAttribute("aria-rowcount", String(this.rows.length + 1));
    this.note.textContent = `${this.rows.length} rows`;
    this.renderHead();
    this.scroller.scrollTop = 0;
    this.render(true);
  }
  private renderHead(): void {
    this.head.replaceChildren(...this.columns.map((column, i) => {
      const isSorted = i === this.sort.column;
      const arrow = isSorted ? (this.sort.isDown ? " ▼" : " ▲") : "";
      const press = button(column.head, {}, () => {
        this.sort = { column: i, isDown: isSorted ? !this.sort.isDown : column.show !== undefined };
        this.order = null;
        this.arrange();
        this.head.children[i]?.querySelector("button")?.focus();
      });
      press.append(h("span", { "aria-hidden": "true" }, arrow));
      return h("th", { scope: "col", class: column.show === undefined ? "word" : "number",
                       "aria-sort": isSorted ? (this.sort.isDown ? "descending" : "ascending") : "none" }, press);
    }));
  }

  private nodeOf(row: number): number {
    return kKinds[this.kind]!.node?.(this.state.analysis, row) ?? -1;
  }
  private boxOf(row: number): number {
    return kKinds[this.kind]!.box?.(this.state.analysis, row) ?? -1;
  }
  private isSelected(row: number): boolean {
    return row === this.selectedRow;
  }
  private get selectedRow(): number {
    const { state } = this;
    if (this.kind === "Modules") return state.box;
    if (this.kind === "Nodes") return state.node;
    return this.kind === "Groups" && state.node >= 0 ? state.analysis.groupOf[state.node]! : -1;
  }
  private select(row: number): void {
    const node = this.nodeOf(row), box = this.boxOf(row);
    if (node >= 0) this.state.selectNode(node);
    else if (box >= 0) this.state.selectBox(box);
  }

  private render(force = false): void {
    const height = this.scroller.clientHeight;
    if (height === 0) return;
    const from = Math.max(0, Math.floor(this.scroller.scrollTop / kRowHeight) - kBeyond);
    const to = Math.min(this.rows.length, from + Math.ceil(height / kRowHeight) + 2 * kBeyond);
    if (!force && !this.isStale && Math.abs(from - this.shownFrom) < kBeyond / 2) return;
    const focused = (document.activeElement as HTMLElement | null)?.closest("tr")?.dataset["row"];
    this.isStale = false;
    this.shownFrom = from;
    const rows = this.rows.slice(from, to);
    const stop = rows.find((row) => this.isSelected(row)) ?? rows[0];
    const gap = (height: number): HTMLElement => {
      const row = h("tr", { "aria-hidden": "true", class: "gap" }, h("td", { colspan: this.columns.length }));
      row.style.height = `${height}px`;
      return row;
    };
    this.body.replaceChildren(gap(from * kRowHeight),
                              ...rows.map((row, i) => this.renderRow(row, from + i, row === stop)),
      gap((this.rows.length - to) * kRowHeight));
    if (focused !== undefined) this.body.querySelector<HTMLElement>(`tr[data-row="${focused}"]`)?.focus({ preventScroll: true });
  }
  private renderRow(row: number, at: number, isStop: boolean, columns = this.columns): HTMLElement {
    const isSelected = this.isSelected(row);
    return h("tr", { "data-row": row, "aria-rowindex": at + 2, "aria-current": isSelected ? "true" : null,
                     tabindex: isStop ? 0 : -1, class: isSelected ? "chosen" : null },
      columns.map((column) => {
        const value = column.value(row);
        const text = typeof value === "number" ? (Number.isNaN(value) ? "-" : column.show!(value)) : value;
        const cell = h("td", { class: typeof value === "number" || column.show !== undefined ? "number" : "word" },
          column.isName ? name(text) : text);
        if (column.isName) cell.classList.add("path");
        if (column.isName) cell.title = text.slice(0, 1000);
        if (column.hasBar && typeof value === "number") cell.style.setProperty("--share",
            `${Math.max(0, Math.min(1, value || 0)) * 100}%`);
        if (column.hasBar) cell.classList.add("bar");
        return cell;
      }));
  }
  private reveal(): void {
    const at = this.rows.indexOf(this.selectedRow);
    if (at < 0 || this.scroller.clientHeight === 0) return;
    const top = at * kRowHeight, room = this.scroller.clientHeight - 2 * kRowHeight;
    if (top >= this.scroller.scrollTop && top <= this.scroller.scrollTop + room) return;
    this.scroller.scrollTop = Math.max(0, top - room / 2);
    this.render(true);
  }
  private key(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest("tr")?.dataset["row"];
    if (row === undefined) return;
    const at = Math.max(0, this.rows.indexOf(Number(row)));
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / kRowHeight) - 2);
    const next: { [key: string]: number } = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.rows.length - 1,
      Enter: at, " ": at,
    };
    const to = next[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const chosen = this.rows[Math.max(0, Math.min(this.rows.length - 1, to))]!;
    this.select(chosen);
    this.body.querySelector<HTMLElement>(`tr[data-row="${chosen}"]`)?.focus({ preventScroll: true });
  }

  private save(): void {
    const field = (text: string): string => {
      const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
      return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const lines = [this.columns.map((column) => field(column.head)),
                   ...this.rows.map((row) => this.columns.map((column) => {
      const value = column.value(row);
      return typeof value === "number" ? (Number.isNaN(value) ? "" : String(value)) : field(value);
    }))];
    download(`${this.kind.toLowerCase()}.csv`, new Blob([lines.map((line) => `${line.join(",")}\n`).join("")],
                                                        { type: "text/csv" }));
  }
  // What print shows in place of the rows on the screen.
  printed(most: number): HTMLElement {
    const rows = this.rows.slice(0, most);
    const columns = this.columns.filter((column) => !kScreenOnly.includes(column.head));
    return h("table", { class: "plain" }, h("caption", {}, `${this.kind}: ${rows.length} of ${this.rows.length}`),
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col" }, column.head)))),
      h("tbody", {}, rows.map((row, i) => this.renderRow(row, i, false, columns))));
  }
}
