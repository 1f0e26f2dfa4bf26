// The answer first: how long, how often, how much, what bounds it, what falls back and why, what would help.
import type { Table } from "./data.js";
import { h, name, shown, table } from "./dom.js";
import * as format from "./format.js";
import type { Icicle } from "./icicle.js";
import type { Analysis } from "./model.js";
import type { Change, State } from "./state.js";

const kFallbackRows = 8;
const kHelpRows = 6;
const kMeasuredRows = 6;

interface Headline {
  label: string;
  value: (analysis: Analysis) => number;
  show: (value: number) => string;
}
const figure = (key: string) => (analysis: Analysis): number => format.numberOf(analysis.summary[key]);
const kCompared: Headline[] = [
  { label: "Latency", value: figure("latency_s"), show: format.seconds },
  { label: "Interval", value: figure("interval_s"), show: format.seconds },
  { label: "Throughput", value: figure("throughput_per_s"), show: (rate) => `${format.rate(rate)}/s` },
  { label: "Energy", value: figure("energy_j"), show: format.joules },
  { label: "Power", value: figure("power_w"), show: format.watts },
  { label: "Peak memory", value: figure("peak_memory_bytes"), show: format.bytes },
  { label: "Moved", value: figure("moved_bytes"), show: format.bytes },
  { label: "MACs", value: figure("macs"), show: format.count },
  { label: "Kernels", value: (analysis) => analysis.groups.size, show: format.count },
];

// What the latency rests on.
function gradesOf(analysis: Analysis): string[] {
  const grades = (analysis.summary["grades"] ?? {}) as Record<string, number>;
  return Object.entries(format.kGrades).filter(([key]) => (grades[key] ?? 0) > 0)
    .map(([key, words]) => (grades[key]! >= 1 ? words : `${format.percent(grades[key]!)} ${words}`));
}

export class Summary {
  readonly element: HTMLElement;
  private readonly facts = h("div", { class: "facts" });
  private readonly tables = h("div", { class: "summary-tables" });

  constructor(private readonly state: State, private readonly icicle: Icicle) {
    this.element = h("div", { class: "summary" }, this.facts,
      h("section", { "aria-label": "Modules by time", class: "icicle" },
        h("h2", {}, state.analysis.hasPlan ? "Modules by time" : "Modules by work"), icicle.element), this.tables);
    this.render();
  }
  update(change: Change): void {
    if (change === "analysis") this.render();
    this.icicle.update(change);
  }

  private render(): void {
    const { analysis } = this.state;
    this.facts.replaceChildren(...(analysis.hasPlan ? this.answer(analysis) : this.counts(analysis)));
    this.tables.replaceChildren(...this.compared(), ...(analysis.hasPlan
      ? [this.bounds(analysis), this.units(analysis), ...this.measured(analysis), ...this.fallback(analysis), ...this.help(analysis)] : []),
      this.settings(analysis), ...this.notes(analysis));
  }

  private fact(label: string, value: string, below: string, isMain = false, restsOn = ""): HTMLElement {
    return h("div", { class: isMain ? "fact main" : "fact" }, h("div", { class: "what" }, label),
      h("div", { class: "value" }, value), h("div", { class: "below", title: shown(below) }, name(below)),
      restsOn === "" ? null : h("div", { class: "rests" }, restsOn));
  }
  private answer(analysis: Analysis): HTMLElement[] {
    const { summary, model } = analysis;
    const of = (key: string): number => format.numberOf(summary[key]);
    const isIncomplete = summary["incomplete"] === true;
    const range = (show: (value: number) => string, low: string, high: string): string => `${show(of(low))} to ${show(of(high))}`;
    const bottleneck = this.bottleneck(analysis);
    const isUnsized = format.numberOf(analysis.coverage["typed"]) < analysis.nodes.size;
    const isUncounted = format.numberOf(analysis.coverage["counted"]) < analysis.nodes.size;
    const limit = (isPartial: boolean, figure: string, words = "at least"): string =>
      (isPartial && figure !== format.kUnknown ? `${words} ${figure}` : figure);
    const missing = analysis.nodes.size - format.numberOf(analysis.coverage["costed"]);
    const without = `${missing} of ${analysis.nodes.size} nodes have no time`;
    return [
      this.fact("Latency", limit(isIncomplete, format.seconds(of("latency_s"))), isIncomplete ? without : range(format.seconds, "latency_low_s", "latency_high_s"), true, gradesOf(analysis).join(", ")),
      this.fact("Throughput", limit(isIncomplete, `${format.rate(of("throughput_per_s"))}/s`, "at most"), isIncomplete ? without : `a result every ${format.seconds(of("interval_s"))}`),
      this.fact("Energy", limit(isIncomplete, format.joules(of("energy_j"))), isIncomplete ? without : `${range(format.joules, "energy_low_j", "energy_high_j")}, ${format.watts(of("power_w"))}`),
      this.fact("Peak memory", limit(isUnsized, format.bytes(of("peak_memory_bytes"))), `weights and constants ${format.bytes(format.numberOf(model["deployed_bytes"]))}`),
      this.fact("Bottleneck", bottleneck.bound, bottleneck.share),
      this.fact("Work", limit(isUncounted, format.withUnit(summary["macs"], "MACs")), `${format.intensity(of("intensity"))}, ${format.bytes(of("moved_bytes"))} moved`),
      this.fallbackFact(analysis),
      this.helpFact(analysis),
    ];
  }
  private bottleneck(analysis: Analysis): { bound: string; share: string } {
    const times = analysis.bounds.numbers("time_s");
    let most = -1;
    times.forEach((time, row) => (most = most < 0 || time > times[most]! ? row : most));
    if (most < 0) return { bound: format.kUnknown, share: "" };
    return { bound: analysis.bounds.text("class", most), share: `${format.percent(times[most]! / analysis.latency_s)} of the time` };
  }
  private fallbackFact(analysis: Analysis): HTMLElement {
    const { fallback, latency_s } = analysis;
    if (fallback.size === 0) return this.fact("Falls back", "nothing", nothingFallsBack(analysis));
    const rows = byTime(fallback);
    const unknown = rows.reduce((sum, row) => sum + (Number.isNaN(fallback.number("time_s", row)) ? fallback.number("groups", row) : 0), 0);
    const time = rows.reduce((sum, row) => sum + (fallback.number("time_s", row) || 0), 0);
    const reasons = rows.map((row) => `${fallback.text("kernel", row)}: ${fallback.text("why", row)}`).join("; ");
    if (unknown > 0) return this.fact("Falls back", time > 0 ? `at least ${format.seconds(time)}` : format.kUnknown, `${unknown} kernels, some without a known time: ${reasons}`);
    return this.fact("Falls back", `${format.seconds(time)}`, `${format.percent(time / latency_s)}: ${reasons}`);
  }
  private helpFact({ whatIf, latency_s }: Analysis): HTMLElement {
    if (whatIf === null) return this.fact("Would help", "not asked", "--what-if tries it");
    const saving = whatIf.number("saving_s", 0);
    if (!(saving > 0)) return this.fact("Would help", "nothing tried", `${whatIf.size} changes were tried`);
    return this.fact("Would help", `−${format.percent(saving / latency_s)}`, whatIf.text("change", 0));
  }
  private counts(analysis: Analysis): HTMLElement[] {
    const { summary, model } = analysis;
    return [
      this.fact("Work", format.withUnit(summary["macs"], "MACs"), format.withUnit(summary["flops"], "FLOP"), true),
      this.fact("Parameters", format.countOf(model["params"]), `${format.bytes(format.numberOf(model["stored_bytes"]))} in the file`),
      this.fact("Nodes", format.count(analysis.nodes.size), `${analysis.modules.size} modules`),
    ];
  }

  private compared(): Node[] {
    const [a, b] = this.state.analyses;
    if (a === undefined || b === undefined) return [];
    const rows = kCompared.map(({ label, value, show }) => {
      const before = value(a), after = value(b);
      const change = (after - before) / before;
      return [label, show(before), show(after), Number.isFinite(change) ? `${change >= 0 ? "+" : "−"}${format.percent(Math.abs(change))}` : "-"];
    });
    const title = (analysis: Analysis): string => `${format.textOf(analysis.request["target"])} ${format.textOf(analysis.request["mode"])}`.trim();
    return [table("Both analyses", ["Figure", `A: ${title(a)}`, `B: ${title(b)}`, "B against A"], rows, [0])];
  }

  private bounds({ bounds, groups, latency_s }: Analysis): Node {
    const rows = [...Array(bounds.size).keys()].map((row) => [
      bounds.text("class", row), this.bar(bounds.number("time_s", row) / latency_s), format.seconds(bounds.number("time_s", row)),
      `${format.count(bounds.number("groups", row))} (${format.percent(bounds.number("groups", row) / groups.size)})`,
      format.count(bounds.number("flops", row)), format.bytes(bounds.number("bytes", row)),
    ]);
    return table("Time by bound", ["Bound", "Share", "Time", "Kernels", "FLOP", "Moved"], rows, [0, 1]);
  }
  private units({ units, latency_s }: Analysis): Node {
    const rows = [...Array(units.size).keys()].map((row) => [
      units.text("name", row), this.bar(units.number("busy_s", row) / latency_s), format.seconds(units.number("busy_s", row)),
      format.count(units.number("groups", row)), format.count(units.number("macs", row)), format.joules(units.number("energy_j", row)),
      units.text("toolchain", row) || "-",
    ]);
    return table("Units", ["Unit", "Share", "Busy", "Kernels", "MACs", "Energy", "Toolchain"], rows, [0, 1, 6]);
  }
  private bar(share: number): HTMLElement {
    const element = h("span", { class: "bar" }, format.percent(share));
    element.style.setProperty("--share", `${Math.max(0, Math.min(1, share || 0)) * 100}%`);
    return element;
  }

  // What another runtime measured, and where the prediction is furthest off.
  private measured({ measured, groups, rootOf }: Analysis): Node[] {
    if (measured === null) return [];
    const of = (key: string): number => format.numberOf(measured[key]);
    const ratio = of("matched_s") / of("predicted_s");
    const row = (label: string, key: string, words: string): (string | Node)[] =>
      [label, this.bar(of(key) / of("time_s")), format.seconds(of(key)), words];
    const totals = [
      row("kernels that are measured", "matched_s", `${of("groups")} of ${groups.size}, predicted ${format.seconds(of("predicted_s"))}: measured / predicted = ${format.ratio(ratio)}`),
      row("nodes without a kernel here", "no_kernel_s", "they cost nothing in the plan"),
      row("matched by nothing", "unmatched_s", `${of("unmatched")} entries of the profile; the notes name them`),
    ];
    const off = (group: number): number => Math.abs(groups.number("measured_s", group) - groups.number("time_s", group)) || 0;
    const furthest = [...Array(groups.size).keys()].filter((group) => off(group) > 0).sort((a, b) => off(b) - off(a) || a - b);
    const rows = furthest.slice(0, kMeasuredRows).map((group) => [
      this.link(rootOf[group]!), format.seconds(groups.number("measured_s", group)), format.seconds(groups.number("time_s", group)),
      format.ratio(groups.number("measured_ratio", group)), groups.text("bound", group),
    ]);
    return [table(`Measured by ${format.textOf(measured["program"])}`, ["Part", "Share", "Time", "What"], totals, [0, 1, 3]),
      ...(rows.length === 0 ? [] : [table("Furthest from what was measured", ["Kernel", "Measured", "Predicted", "Ratio", "Bound"], rows, [0, 4])])];
  }

  private fallback(analysis: Analysis): Node[] {
    const { fallback, latency_s } = analysis;
    if (fallback.size === 0) return [h("p", { class: "good" }, `Nothing falls back: ${nothingFallsBack(analysis)}.`)];
    const rows = byTime(fallback);
    const first = rows.slice(0, kFallbackRows).map((row) => [
      shown(fallback.text("kernel", row)), format.count(fallback.number("groups", row)), format.seconds(fallback.number("time_s", row)),
      format.percent(fallback.number("time_s", row) / latency_s), name(fallback.text("why", row)), this.link(fallback.number("node", row)),
    ]);
    const more = rows.length > kFallbackRows ? [h("p", { class: "hint" }, `and ${rows.length - kFallbackRows} more kinds of kernels; the table shows them by unit`)] : [];
    return [table("What falls back, and why", ["Kernel", "Count", "Time", "Share", "Why", "First node"], first, [0, 4, 5]), ...more];
  }
  private link(node: number): Node {
    return h("button", { type: "button", class: "link", click: () => this.state.selectNode(node) }, name(this.state.analysis.label(node)));
  }
  private help({ whatIf, latency_s }: Analysis): Node[] {
    if (whatIf === null) return [h("p", { class: "hint" }, "What would help was not asked: --what-if tries it.")];
    const rows = [...Array(whatIf.size).keys()].filter((row) => whatIf.number("saving_s", row) > 0).slice(0, kHelpRows).map((row) => [
      name(whatIf.text("change", row)), format.seconds(whatIf.number("saving_s", row)), format.percent(whatIf.number("saving_s", row) / latency_s),
      format.seconds(whatIf.number("latency_s", row)), h("code", {}, whatIf.list("flags", row).join(" ") || "a target file"),
    ]);
    if (rows.length === 0) return [h("p", { class: "hint" }, `None of ${whatIf.size} changes that were tried helps.`)];
    return [table("What would help", ["Change", "Saves", "Share", "Latency", "To see it"], rows, [0, 4])];
  }

  private settings(analysis: Analysis): Node {
    const { request, model, coverage, nodes } = analysis;
    const rows: [string, string][] = [
      ["Model", format.textOf(request["model"])], ["Target", format.textOf(request["target"])], ["Mode", format.textOf(request["mode"])],
      ["Precision", format.textOf(request["precision"])], ["Batch", format.textOf(request["batch"])],
      ["Dims", Object.entries((request["dims"] ?? {}) as object).map(([key, value]) => `${key}=${value}`).join(", ")],
      ["Parameters", format.countOf(model["params"])], ["Nodes", format.count(nodes.size)],
      ["Made by", format.textOf(model["producer"])],
      ["Figures", gradesOf(analysis).join(", ")],
      ["Coverage", "costed" in coverage && coverage["costed"] !== null
        ? `${format.percent(format.numberOf(coverage["costed"]) / nodes.size)} of the nodes costed` : ""],
    ];
    return h("section", { "aria-label": "Settings" }, h("h2", {}, "Settings"),
      h("dl", { class: "settings" }, rows.filter(([, text]) => text !== "").flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, name(text))])));
  }
  private notes({ diagnostics }: Analysis): Node[] {
    if (diagnostics.size === 0) return [];
    const rows = [...Array(Math.min(20, diagnostics.size)).keys()].map((row) => {
      const remedy = diagnostics.text("remedy", row);
      return h("li", {}, name(`${diagnostics.text("severity", row)}: ${diagnostics.text("message", row)}${remedy === "" ? "" : ` (${remedy})`}`));
    });
    if (diagnostics.size > rows.length) rows.push(h("li", {}, `and ${diagnostics.size - rows.length} more`));
    return [h("section", { "aria-label": "Notes" }, h("h2", {}, "Notes"), h("ul", {}, rows))];
  }
}

function nothingFallsBack({ units }: Analysis): string {
  const rows = [...Array(units.size).keys()];
  const hasAccelerator = rows.some((row) => units.cell("is_cpu", row) !== true && units.cell("is_placeable", row) === true);
  return hasAccelerator ? "every kernel runs on an accelerator" : "the target has no accelerator to fall back from";
}

// Rows, the dearest first.
const byTime = (table: Table): number[] =>
  [...Array(table.size).keys()].sort((a, b) => (table.number("time_s", b) || 0) - (table.number("time_s", a) || 0) || a - b);
