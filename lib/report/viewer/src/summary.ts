// The answer first: how long, how often, how much, what bounds it, what falls back and why, what would help.
import { make, type Table } from "./data.js";
import { h, name, shown, table } from "./dom.js";
import * as format from "./format.js";
import type { Icicle } from "./icicle.js";
import type { Analysis } from "./model.js";
import type { Change, State } from "./state.js";

const kTopKernels = 5;
const kTopCures = 3;
const kRisks: Record<string, string> = { rounding: "; rounds otherwise", calibration: "; takes calibration",
                                         training: "; takes training" };
const kFallbackRows = 8;
const kHelpRows = 10; // as many as in the text report
const kNotes = 20;
const kLeaves: Record<string, string> = {
  same: "network and board", batch: "these; a run takes longer", network: "board", board: "network",
};
const kMeasuredRows = 6;

interface Headline {
  label: string;
  value: (analysis: Analysis) => number;
  show: (value: number) => string;
}
const figure = (key: string) => (analysis: Analysis): number => format.numberOf(analysis.summary[key]);
export const kCompared: Headline[] = [
  { label: "Latency", value: figure("latency_s"), show: format.seconds },
  { label: "Interval", value: figure("interval_s"), show: format.seconds },
  { label: "Throughput", value: figure("throughput_per_s"), show: (rate) => `${format.rate(rate)}/s` },
  { label: "Tokens", value: figure("tokens_per_s"), show: (rate) => `${format.rate(rate)} tokens/s` },
  { label: "Energy", value: figure("energy_j"), show: format.joules },
  { label: "Power", value: figure("power_w"), show: format.watts },
  { label: "Peak memory", value: figure("peak_memory_bytes"), show: format.bytes },
  { label: "Moved", value: figure("moved_bytes"), show: format.bytes },
  { label: "MACs", value: figure("macs"), show: format.count },
  { label: "Kernels", value: (analysis) => analysis.groups.size, show: format.plain },
];

export class Summary {
  readonly element: HTMLElement;
  private readonly verdict = h("p", { class: "verdict" });
  private readonly facts = h("div", { class: "facts" });
  private readonly first = h("div", { class: "first" });
  private readonly tables = h("div", { class: "summary-tables", tabindex: 0, role: "group",
                                      "aria-label": "Tables" });

  constructor(private readonly state: State, private readonly icicle: Icicle) {
    this.element = h("div", { class: "summary" }, this.verdict, this.facts, this.first,
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
    this.verdict.hidden = analysis.verdict === "";
    this.verdict.replaceChildren(name(analysis.verdict));
    this.facts.replaceChildren(...(analysis.hasPlan ? this.answer(analysis) : this.counts(analysis)));
    this.first.replaceChildren(...(analysis.hasPlan ? [this.costliest(analysis), ...this.cures(analysis)] : []));
    this.tables.replaceChildren(...this.compared(), ...(analysis.hasPlan
      ? [this.bounds(analysis), this.units(analysis), ...this.generation(analysis), ...this.measured(analysis),
         ...this.fallback(analysis),
        ...this.help(analysis)] : []),
      this.settings(analysis), ...this.notes(analysis),
      h("p", { class: "hint keys" }, h("kbd", {}, "n"), " and ", h("kbd", {}, "p"),
        " go through the most expensive kernels, ", h("kbd", {}, "/"), " searches, ", h("kbd", {}, "1"), " to ",
        h("kbd", {}, "6"), " change the tab. Drop a second report, HTML or JSON, onto this one to see both."));
  }

  // What takes most of the time, and what would take some of it away.
  private costliest(analysis: Analysis): Node {
    const { groups, rootOf, latency_s } = analysis;
    const times = groups.numbers("time_s");
    const top = make(groups.size, (group) => group).filter((group) => times[group]! > 0)
      .sort((a, b) => times[b]! - times[a]! || a - b).slice(0, kTopKernels);
    const rows = top.map((group) => [
      shown(groups.text("pattern", group)), this.link(rootOf[group]!), format.seconds(times[group]!),
      this.bar(times[group]!, latency_s), groups.text("bound", group), groups.text("unit", group)]);
    return h("div", { class: "costliest" }, table(`Most expensive of ${format.plain(groups.size)} kernels`,
      ["Kernel", "Node", "Time", "Share", "Bound", "Unit"], rows, [0, 1, 3, 4, 5]));
  }
  private cures(analysis: Analysis): Node[] {
    const { whatIf, latency_s } = analysis;
    if (whatIf === null || whatIf.size === 0) return [];
    // The best of each kind: not three sizes of a batch.
    const kinds = new Set<string>();
    const rows = make(whatIf.size, (row) => row).filter((row) => kinds.size < kinds.add(whatIf.text("kind", row)).size);
    const items = rows.slice(0, kTopCures).map((row) => {
      const saving = whatIf.number("saving_s", row), rate = whatIf.number("throughput_per_s", row);
      const command = whatIf.text("command", row);
      return h("li", {}, h("div", { class: "cure" }, h("b", {}, `−${format.shareOf(saving, latency_s)}`),
          whatIf.text("kind", row) === "batch" ? " per input: " : " ",
          name(whatIf.text("change", row)), Number.isFinite(rate) ? `, then ${format.rate(rate)}/s` : "",
          kRisks[whatIf.text("risk", row)] ?? ""),
        command === "" ? h("div", { class: "hint" }, name(whatIf.text("how", row)))
          : h("div", { class: "command" }, h("code", {}, command), copier(command)));
    });
    return [h("section", { "aria-label": "Best changes", class: "cures" },
              h("h2", {}, "What would help most"), h("ol", {}, items))];
  }

  private fact(label: string, value: string, below: string[], isMain = false): HTMLElement {
    return h("div", { class: isMain ? "fact main" : "fact" }, h("div", { class: "what" }, label),
      h("div", { class: "value" }, format.grouped(value)),
      below.map((text) => h("div", { class: "below", title: shown(text) }, name(text))));
  }
  // The lines of the text report, each with its parts.
  private answer({ answer, words }: Analysis): HTMLElement[] {
    const facts: HTMLElement[] = [];
    for (let row = 0; row < answer.size; ++row) {
      const label = answer.text("name", row), value = answer.text("figure", row),
      rest = answer.list("rest", row).map(String);
      if (answer.cell("is_part", row) !== true) facts.push(this.fact(label, value, rest, row === 0));
      else facts[facts.length - 1]?.append(partOf([`${label} ${value}`.trim(), ...rest].filter((text) => text !== "")
                                                  .join(": ")));
    }
    const idle = format.textOf(words["idle"]), misfit = format.textOf(words["misfit"]);
    return [...(misfit === "" ? [] : [h("p", { class: "misfit", role: "alert" }, name(`Does not fit: ${misfit}`))]),
      ...(idle === "" ? [] : [h("p", { class: "idle" }, name(idle))]), ...facts];
  }
  private counts(analysis: Analysis): HTMLElement[] {
    const { summary, model } = analysis;
    return [
      this.fact("Work", format.withUnit(summary["macs"], "MACs"), [format.withUnit(summary["flops"], "FLOP")], true),
      this.fact("Parameters", format.countOf(model["params"]),
                [`${format.bytes(format.numberOf(model["stored_bytes"]))} in the file`]),
      this.fact("Nodes", format.plain(format.numberOf(model["nodes"])), [`${format.plain(analysis.modules.size)} modules`]),
    ];
  }

  private compared(): Node[] {
    const [a, b] = this.state.analyses;
    if (a === undefined || b === undefined) return [];
    const rows = kCompared.filter(({ value }) => !Number.isNaN(value(a)) || !Number.isNaN(value(b)))
      .map(({ label, value, show }) => {
      const before = value(a), after = value(b);
      const change = (after - before) / before;
      return [label, show(before), show(after), Number.isFinite(change)
              ? `${change >= 0 ? "+" : "−"}${format.percent(Math.abs(change))}` : "-"];
    });
    const title = (analysis: Analysis): string => `${format.textOf(analysis.request["target"])} ${format.textOf(analysis.request["mode"])}`.trim();
    return [table("Both analyses", ["Figure", `A: ${title(a)}`, `B: ${title(b)}`, "B against A"], rows, [0])];
  }

  private shares(analysis: Analysis, title: string): string {
    return analysis.isIncomplete ? `${title}, shares of what is known` : title;
  }
  private bounds(analysis: Analysis): Node {
    const { bounds, latency_s } = analysis;
    const rows = make(bounds.size, (row) => [
      bounds.text("class", row), this.bar(bounds.number("time_s", row), latency_s),
      format.seconds(bounds.number("time_s", row)),
      format.plain(bounds.number("groups", row)), format.percent(bounds.number("groups_share", row)),
      format.count(bounds.number("flops", row)), format.percent(bounds.number("flops_share", row)),
      format.bytes(bounds.number("bytes", row)), format.percent(bounds.number("bytes_share", row)),
      orDash(format.ratio, bounds.number("intensity", row)),
    ]);
    return table(this.shares(analysis, "Time by bound"),
      ["Bound", "Share", "Time", "Kernels", "of all", "FLOP", "of all", "Moved", "of all", "FLOP/B"], rows, [0, 1]);
  }
  private units(analysis: Analysis): Node {
    const { units, latency_s } = analysis;
    const all = make(units.size, (row) => row).filter((row) => units.cell("is_placeable", row) === true ||
                                                      units.number("groups", row) > 0);
    const rows = all.map((row) => {
      const known = units.number("known_s", row), isPartial = units.cell("busy_s", row) === null;
      return [
        units.text("name", row), isPartial && known === 0 ? "-" : this.bar(known, latency_s),
        format.atLeast(format.seconds(known), known, isPartial), format.plain(units.number("groups", row)),
        format.count(units.number("macs", row)), format.joules(units.number("energy_j", row)),
        units.text("toolchain", row) || "-",
      ];
    });
    return table(this.shares(analysis, "Units"), ["Unit", "Share", "Busy", "Kernels", "MACs", "Energy", "Toolchain"],
                 rows, [0, 1, 6]);
  }
  private generation({ generation }: Analysis): Node[] {
    if (generation === null) return [];
    const range = (low: string, high: string): string => (low === "-" ? "-" : `${low} to ${high}`);
    const rows = make(generation.size, (row) => {
      const of = (key: string, show: (value: number) => string): string => orDash(show, generation.number(key, row));
      return [
        of("context", format.plain), of("ttft_s", format.seconds),
        range(of("ttft_low_s", format.seconds), of("ttft_high_s", format.seconds)), of("ttft_energy_j", format.joules),
        of("tokens_per_s", format.rate), range(of("tokens_low_per_s", format.rate),
                                               of("tokens_high_per_s", format.rate)),
        of("token_energy_j", format.joules), of("cache_bytes", format.bytes), of("peak_memory_bytes", format.bytes),
        { true: "yes", false: "no" }[String(generation.cell("fits", row))] ?? "unknown",
      ];
    });
    return [table("By length of the context",
      ["Context", "First token", "80 % interval", "Energy", "Tokens/s", "80 % interval", "J/token", "Cache",
       "Peak memory", "Fits"], rows, [9])];
  }
  private bar(part: number, whole: number): HTMLElement {
    const share = whole > 0 ? part / whole : NaN;
    const element = h("span", { class: "bar" }, format.shareOf(part, whole));
    element.style.setProperty("--share", `${Math.max(0, Math.min(1, share || 0)) * 100}%`);
    return element;
  }

  // What another runtime measured, and where the prediction is furthest off.
  private measured({ measured, groups, rootOf }: Analysis): Node[] {
    if (measured === null) return [];
    const of = (key: string): number => format.numberOf(measured[key]);
    const ratio = of("matched_s") / of("predicted_s");
    const row = (label: string, key: string, words: string): (string | Node)[] =>
      [label, this.bar(of(key), of("time_s")), format.seconds(of(key)), words];
    const totals = [
      row("kernels that are measured", "matched_s",
          `${of("groups")} of ${groups.size}, predicted ${format.seconds(of("predicted_s"))}: measured / predicted = ${format.ratio(ratio)}`),
      row("nodes without a kernel here", "no_kernel_s", "they cost nothing in the plan"),
      row("matched by nothing", "unmatched_s", `${of("unmatched")} entries of the profile; the notes name them`),
    ];
    const off = (group: number): number =>
      Math.abs(groups.number("measured_s", group) - groups.number("time_s", group)) || 0;
    const furthest = [...Array(groups.size).keys()].filter((group) => off(group) > 0)
      .sort((a, b) => off(b) - off(a) || a - b);
    const rows = furthest.slice(0, kMeasuredRows).map((group) => [
      this.link(rootOf[group]!), format.seconds(groups.number("measured_s", group)),
      format.seconds(groups.number("time_s", group)),
      format.ratio(groups.number("measured_ratio", group)), groups.text("bound", group),
    ]);
    return [table(`Measured by ${format.textOf(measured["program"])}`, ["Part", "Share", "Time", "What"], totals,
                  [0, 1, 3]),
      ...(rows.length === 0 ? [] : [table("Furthest from what was measured",
                                          ["Kernel", "Measured", "Predicted", "Ratio", "Bound"], rows, [0, 4])])];
  }

  private fallback(analysis: Analysis): Node[] {
    const { fallback, latency_s } = analysis;
    if (fallback.size === 0) return [h("p", { class: "good" },
                                       `Nothing falls back: ${analysis.restOf("Falls back")}.`)];
    const rows = byTime(fallback);
    const first = rows.slice(0, kFallbackRows).map((row) => [
      shown(fallback.text("kernel", row)), format.plain(fallback.number("groups", row)),
      format.atLeast(format.seconds(fallback.number("known_s", row)), fallback.number("known_s", row),
                     fallback.cell("time_s", row) === null),
      fallback.number("known_s", row) > 0 ? format.shareOf(fallback.number("known_s", row), latency_s) : "-",
      name(fallback.text("why", row)), this.link(fallback.number("node", row)),
    ]);
    const more = rows.length > kFallbackRows ? [h("p", { class: "hint" },
        `and ${rows.length - kFallbackRows} more kinds of kernels; the table shows them by unit`)] : [];
    return [table("What falls back, and why", ["Kernel", "Count", "Time", "Share", "Why", "First node"], first,
                  [0, 4, 5]), ...more];
  }
  private link(node: number): Node {
    return h("button", { type: "button", class: "link", click: () => this.state.selectNode(node) },
             name(this.state.analysis.label(node)));
  }
  private help({ whatIf, latency_s, words }: Analysis): Node[] {
    if (whatIf === null) return [h("p", { class: "hint" }, "What would help was not asked: --what-if tries it.")];
    const rows = make(Math.min(whatIf.size, kHelpRows), (row) => row).map((row) => {
      const per = whatIf.text("kind", row) === "batch" ? ` per batch of ${whatIf.number("batch", row)}` : "";
      return [
        name(whatIf.text("change", row)), format.seconds(whatIf.number("saving_s", row)),
        `${format.seconds(whatIf.number("saving_low_s", row))} to ${
          format.seconds(whatIf.number("saving_high_s", row))}`,
        format.shareOf(whatIf.number("saving_s", row), latency_s),
        format.seconds(whatIf.number("latency_s", row)) + per,
        orDash((rate) => `${format.rate(rate)}/s`, whatIf.number("throughput_per_s", row)),
        format.joules(whatIf.number("energy_j", row)) + (whatIf.cell("energy_j", row) === null ? "" : per),
        whatIf.text("risk", row), kLeaves[whatIf.text("scope", row)] ?? "", name(whatIf.text("work", row)),
        h("code", { title: whatIf.text("command", row) }, whatIf.text("how", row)),
      ];
    });
    if (rows.length === 0) return [h("p", { class: "hint" }, "No change that was tried saves time.")];
    const missing = format.textOf(words["missing"]);
    return [table(`What would help${missing === "" ? "" : `, of what is known: ${missing}`}`,
      ["Change", "Saves", "Between", "Share", "Latency", "Rate", "Energy", "Accuracy", "Leaves as it is", "It takes",
       "To see it"], rows, [0, 7, 8, 9, 10]),
      h("p", { class: "hint" },
        "Rows stand alone, a sum of several is a row of its own; savings are for the inputs of this analysis, rates in "
        + "inputs.", h("span", { class: "keys" }, " Pointing at \"To see it\" shows the whole command."))];
  }

  private settings(analysis: Analysis): Node {
    const { request, model, words } = analysis;
    const rows: [string, string][] = [
      ["Model", format.textOf(request["model"])], ["Target", format.textOf(request["target"])], ["Mode",
          format.textOf(request["mode"])],
      ["Host", format.textOf(request["host"])],
      ["Precision", format.textOf(words["precision"]).replace(/^precision /, "")], ["Batch",
                                                                                    format.textOf(request["batch"])],
      ["Dims", Object.entries((request["dims"] ?? {}) as object).map(([key, value]) => `${key}=${value}`).join(", ")],
      ["Parameters", format.countOf(model["params"])], ["Nodes", format.plain(format.numberOf(model["nodes"]))],
      ["Made by", format.textOf(model["producer"])],
      ["Coverage", ((words["coverage"] ?? []) as string[]).join("; ")],
    ];
    return h("section", { "aria-label": "Settings" }, h("h2", {}, "Settings"),
      h("dl", { class: "settings" }, rows.filter(([, text]) => text !== "")
        .flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, name(text))])));
  }
  // What was noticed, equal notes once with their number, and what was assumed.
  private notes({ diagnostics, words }: Analysis): Node[] {
    const counts = new Map<string, number>();
    for (let row = 0; row < diagnostics.size; ++row) {
      const node = diagnostics.text("node", row), remedy = diagnostics.text("remedy", row);
      const text = `${diagnostics.text("severity", row)}: ${diagnostics.text("message", row)}${node === "" ? "" : ` (${node})`}${remedy === "" ? "" : `: ${remedy}`}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const said = [...counts].map(([text, count]) => (count > 1 ? `${text} (${count} times)` : text));
    const texts = [...said.slice(0, kNotes), ...(said.length > kNotes
                                                 ? [`and ${said.length - kNotes} more; --format json lists all`] : []),
      ...((words["assumptions"] ?? []) as string[])];
    if (texts.length === 0) return [];
    return [h("section", { "aria-label": "Notes" }, h("h2", {}, "Notes"),
              h("ul", {}, texts.map((text) => h("li", {}, name(text)))))];
  }
}

const partOf = (text: string): HTMLElement => h("div", { class: "rests", title: shown(text) }, name(text));
function copier(text: string): HTMLElement {
  const own = h("button", { type: "button", "aria-label": `Copy: ${text}` }, "Copy");
  own.addEventListener("click", () => void navigator.clipboard.writeText(text)
    .then(() => (own.textContent = "Copied"), () => (own.textContent = "Select it to copy")));
  return own;
}
const orDash = (show: (value: number) => string, value: number): string => (Number.isFinite(value) ? show(value) : "-");

// Rows, the most expensive first.
const byTime = (table: Table): number[] =>
  [...Array(table.size).keys()].sort((a, b) => (table.number("known_s", b) || 0) - (table.number("known_s", a) || 0) ||
                                     a - b);
