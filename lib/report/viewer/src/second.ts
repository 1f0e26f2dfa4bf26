// A second report beside this one: an HTML page or a JSON document of this program, dropped onto the page or chosen.
import { type Change as Difference, type Comparison, Panes } from "./comparison.js";
import { type Cell, Document, inflate } from "./data.js";
import { button, h, shown } from "./dom.js";
import * as format from "./format.js";
import { Analysis } from "./model.js";
import { kCompared } from "./summary.js";

type Row = { [key: string]: Cell };
const kMostChanges = 2000;
const kLeastChange = 1e-4; // of the longer latency; smaller differences of a kernel are not listed

// A JSON document as the page's data: tables in columns, with what the page's own data have instead of some of them.
export function packed(text: string): string {
  const report = JSON.parse(text) as { [key: string]: Cell };
  if (report["schema"] !== "onnx-hwest/1" || report["kind"] !== "analysis") {
    throw new Error("no analysis of this program (--json without a verb writes one)");
  }
  const rowsOf = (key: string): Row[] => (Array.isArray(report[key]) ? report[key] as Row[] : []);
  const nodes = rowsOf("nodes"), groups = rowsOf("groups"), modules = rowsOf("modules"), units = rowsOf("units");
  // A leading tilde means that a name goes on.
  const literal = (cell: Cell | undefined): Cell => (typeof cell === "string" && cell.startsWith("~") ? `~${cell}`
                                                     : cell ?? null);
  const moduleRows = new Map(modules.map((row, i) => [row["path"], i]));
  const made: { [key: string]: Row[] } = {
    nodes: nodes.map((row) => ({ ...row, name: literal(row["name"]), label: row["label"] ?? null,
      outputs: (row["outputs"] as Cell[]).map(literal),
      module_index: row["module"] === null ? null : moduleRows.get(row["module"]!) ?? null })),
    modules: modules.map((row) => ({ ...row, path: literal(row["path"]) })),
    units: units.map((row) => ({ ...row, known_s: row["busy_s"] ?? null })),
  };
  let end = 0;
  made["groups"] = groups.map((row) => {
    const parts = (row["energy_parts_j"] ?? {}) as Row, members = row["nodes"] as number[];
    const start = row["start_s"], time = row["time_s"];
    const wait = typeof start === "number" && typeof time === "number" ? start - end : null;
    if (wait !== null) end = start as number + (time as number);
    return { ...row, wait_s: wait, root: members.find((node) => nodes[node]?.["label"] === row["name"]) ?? members[0]!,
      compute_j: parts["compute"] ?? null, onchip_j: parts["onchip"] ?? null, dram_j: parts["dram"] ?? null,
      static_j: parts["static"] ?? null };
  });
  const values: Row[] = [];
  for (const row of nodes) {
    for (const id of [...row["input_ids"] as Cell[], ...row["output_ids"] as Cell[]]) {
      if (typeof id === "number") values[id] ??= { name: null };
    }
    (row["input_ids"] as Cell[]).forEach((id, i) => {
      if (typeof id === "number") values[id]!["name"] ??= (row["inputs"] as Cell[])[i] ?? null;
    });
  }
  made["values"] = Array.from(values, (row) => row ?? { name: null });
  made["answer"] = answerOf(report["summary"] as Row);
  for (const [key, part] of Object.entries(report)) {
    const isTable = Array.isArray(part) && part.length > 0 &&
      part.every((row) => typeof row === "object" && row !== null);
    if (isTable && !(key in made)) made[key] = part as Row[];
  }
  const tables = Object.entries(made).map(([key, rows]) => {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return [key, { size: rows.length, chunk: Math.max(1, rows.length), columns, differences: [],
      chunks: rows.length === 0 ? [] : [columns.map((column) => rows.map((row) => row[column] ?? null))] }];
  });
  return JSON.stringify({ ...report, words: {}, ...Object.fromEntries(tables) });
}
function answerOf(summary: Row): Row[] {
  const of = (key: string): number => format.numberOf(summary[key]);
  return [
    { name: "Latency", figure: format.seconds(of("latency_s")),
      rest: [`${format.seconds(of("latency_low_s"))} to ${format.seconds(of("latency_high_s"))}`] },
    { name: "Throughput", figure: `${format.rate(of("throughput_per_s"))}/s`, rest: [] },
    { name: "Energy", figure: format.joules(of("energy_j")), rest: [] },
    { name: "Peak memory", figure: format.bytes(of("peak_memory_bytes")), rest: [] },
    { name: "Work", figure: format.withUnit(summary["macs"], "MACs"), rest: [] },
  ];
}

async function deflated(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let begin = 0; begin < bytes.length; begin += 8192) {
    letters += String.fromCharCode(...bytes.subarray(begin, begin + 8192));
  }
  return btoa(letters);
}

// The data element of a report in a file, and what it says.
async function read(file: File): Promise<{ element: Element; analysis: Analysis }> {
  const text = await file.text();
  const isPage = /^\s*</.test(text);
  const found = isPage ? new DOMParser().parseFromString(text, "text/html")
    .querySelector("script[type='application/octet-stream']")?.textContent?.trim() : await deflated(packed(text));
  if (!found) throw new Error("no report of this program");
  const own = new Document(await inflate(found));
  if (own.kind !== "analysis") throw new Error(`a report of the kind ${own.kind}, not an analysis`);
  return { element: h("script", { type: "application/octet-stream" }, found), analysis: new Analysis(own) };
}

function titleOf({ request, model }: Analysis): string {
  const of = (key: string): string => format.textOf(request[key]);
  const file = of("model").split("/").pop() || format.textOf(model["name"]);
  return [of("target") === "" ? file : `${file} on ${of("target")}`, of("mode"), of("precision"),
          of("batch") === "" ? "" : `batch ${of("batch")}`].filter((text) => text !== "").join(", ");
}

const signed = (figure: string, change: number): string => (change === 0 ? "=" : `${change > 0 ? "+" : "−"}${figure}`);

export function compared(a: Analysis, b: Analysis): Comparison {
  const totals = kCompared.filter(({ value }) => !Number.isNaN(value(a)) || !Number.isNaN(value(b)))
    .map(({ label, value, show }) => {
      const change = value(b) - value(a), share = change / value(a);
      return [label, show(value(a)), show(value(b)),
              Number.isFinite(change) ? signed(show(Math.abs(change)), change) : "unknown",
              Number.isFinite(share) ? signed(format.percent(Math.abs(share)), share) : ""];
    });
  const pairs = Array.from({ length: a.nodes.size }, (_, node) => b.find(a.label(node)));
  const least = kLeastChange * Math.max(a.latency_s || 0, b.latency_s || 0);
  const rows: { weight: number; change: Difference }[] = [];
  const add = (mark: string, from: number | null, to: number | null, delta: number, what: string[]): void => {
    const [side, node] = to === null ? [a, from!] as const : [b, to] as const;
    const group = side.groupOf[node]!;
    rows.push({ weight: Number.isNaN(delta) ? Infinity : Math.abs(delta), change: { mark, a: from, b: to,
      op: side.groups.text("pattern", group), name: side.label(node),
      delta: Number.isNaN(delta) ? "unknown" : delta === 0 ? "" : signed(format.seconds(Math.abs(delta)), delta),
      what } });
  };
  const taken = new Set<number>();
  a.rootOf.forEach((root, group) => {
    const time = a.groups.number("time_s", group), partner = pairs[root]!;
    const other = partner < 0 ? -1 : b.groupOf[partner]!;
    if (other < 0 || b.rootOf[other] !== partner) return add("-", root, null, -time, []);
    taken.add(other);
    const what = ["unit", "precision", "bound", "pattern"].map((key) => [key, a.groups.text(key, group),
      b.groups.text(key, other)] as const).filter(([, from, to]) => from !== to)
      .map(([key, from, to]) => `${key}: ${from || "none"}, now ${to || "none"}`);
    const delta = b.groups.number("time_s", other) - time;
    if (Math.abs(delta) >= least || Number.isNaN(delta) || what.length > 0) {
      add(a.groups.text("unit", group) !== b.groups.text("unit", other) ? ">" : "~", root, partner, delta, what);
    }
  });
  b.rootOf.forEach((root, group) => {
    if (!taken.has(group)) add("+", null, root, b.groups.number("time_s", group), []);
  });
  rows.sort((x, y) => y.weight - x.weight);
  return { a: titleOf(a), b: titleOf(b), left_out: Math.max(0, rows.length - kMostChanges), totals,
           changes: rows.slice(0, kMostChanges).map(({ change }) => change), pairs };
}

// Listens for files; `shown` gives the analysis of the page and its data element.
export function hearFiles(current: () => { analysis: Analysis; element: Element }): HTMLElement {
  const input = h("input", { type: "file", accept: ".html,.htm,.json", hidden: true, "aria-hidden": "true",
                             tabindex: -1 });
  const refused = h("div", { class: "refused", role: "alert", hidden: true });
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      const { element, analysis } = await read(file);
      const own = current();
      new Panes(compared(own.analysis, analysis), [own.element, element], () => location.reload());
    } catch (error) {
      refused.textContent = `${shown(file.name)} cannot be shown beside this report: ${error instanceof SyntaxError
        ? "it is neither HTML nor JSON" : (error as Error).message}`;
      refused.hidden = false;
      setTimeout(() => (refused.hidden = true), 8000);
    }
  };
  input.addEventListener("change", () => void take(input.files?.[0]).then(() => (input.value = "")));
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  });
  const title = "Show a second report, HTML or JSON, beside this one; or drop it here";
  return h("span", {}, button("Compare", { title }, () => input.click()), input, refused);
}
