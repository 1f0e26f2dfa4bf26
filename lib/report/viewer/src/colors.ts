// What colours mean, and the shape or length that repeats it.
import { make } from "./data.js";
import type { Analysis } from "./model.js";
import * as format from "./format.js";
import { kShapes, type Shape } from "./pen.js";
import { mix, theme } from "./theme.js";

export interface Mark {
  fill: string;
  shape: Shape | null; // of things without an order
  share: number | null; // of the largest figure: the length of a bar
}

interface Kind {
  label: string;
  of: (analysis: Analysis, leaf: number) => string;
  order: (analysis: Analysis) => string[];
  fills?: () => string[]; // where the order means something
  isShown?: (analysis: Analysis) => boolean;
}
interface Figure {
  label: string;
  of: (analysis: Analysis, leaf: number) => number;
  show: (value: number) => string;
  isShare?: boolean; // of 1, not of the largest
}

const textsOf = (table: { size: number; text(key: string, row: number): string }, key: string): string[] =>
  [...new Set(Array.from({ length: table.size }, (_, row) => table.text(key, row)))].filter((text) => text !== "")
    .sort();

const groupText = (key: string) => (analysis: Analysis, leaf: number): string => {
  const group = analysis.groupOf[leaf]!;
  return group < 0 ? "" : analysis.groups.text(key, group);
};
const groupFigure = (key: string) => (analysis: Analysis, leaf: number): number => analysis.groupNumber(key, leaf);

// Measured over predicted time.
const kRatios: [below: number, label: string][] = [
  [0.5, "below 0.5 times"], [0.8, "0.5 to 0.8 times"], [1.25, "0.8 to 1.25 times"], [2, "1.25 to 2 times"],
  [Infinity, "2 times and more"],
];
function ratioText(analysis: Analysis, leaf: number): string {
  const ratio = analysis.groupNumber("measured_ratio", leaf);
  return kRatios.find(([below]) => ratio < below)?.[1] ?? "";
}
const ratioFills = (): string[] => [
  mix(theme.surface, theme.accent, 0.62), mix(theme.surface, theme.accent, 0.28),
  mix(theme.surface, theme.kinds[2]!, 0.4),
  mix(theme.surface, theme.ramp, 0.34), mix(theme.surface, theme.ramp, 0.72),
];

const kKinds: { [key: string]: Kind } = {
  bound: { label: "Bound", of: groupText("bound"), order: () => ["compute", "memory", "overhead", "transfer",
                                                                 "balanced"] },
  unit: { label: "Unit", of: groupText("unit"), order: (analysis) => textsOf(analysis.units, "name") },
  precision: { label: "Precision", of: groupText("precision"),
    order: (analysis) => textsOf(analysis.groups, "precision") },
  grade: {
    label: "Grade of the figures", of: groupText("grade"),
    order: () => ["measured", "family", "datasheet", "assumed"],
  },
  measured: {
    label: "Measured / predicted", of: ratioText, order: () => kRatios.map(([, label]) => label), fills: ratioFills,
    isShown: (analysis) => analysis.measured !== null,
  },
};
const kFigures: { [key: string]: Figure } = {
  time: { label: "Time", of: groupFigure("time_s"), show: format.seconds },
  energy: { label: "Energy", of: groupFigure("energy_j"), show: format.joules },
  intensity: { label: "Intensity", of: groupFigure("intensity"), show: format.intensity },
  utilisation: { label: "Utilisation", of: groupFigure("utilisation"), show: format.percent, isShare: true },
  macs: {
    label: "MACs", show: format.count,
    of: (analysis, leaf) => analysis.groupOf[leaf]! < 0
      ? analysis.nodes.number("macs", leaf) : analysis.groupNumber("macs", leaf),
  },
  moved: {
    label: "Bytes moved", show: format.bytes,
    of: (analysis, leaf) => analysis.groupOf[leaf]! < 0 ? NaN : analysis.movedBytes(analysis.groupOf[leaf]!),
  },
  live: { label: "Live memory", of: groupFigure("live_bytes"), show: format.bytes },
  interval: {
    label: "Width of the interval", show: (value) => `factor ${format.significant(value)}`,
    of: (analysis, leaf) => analysis.groupNumber("high_s", leaf) / analysis.groupNumber("low_s", leaf),
  },
};

const kColorKeys = [...Object.keys(kKinds), ...Object.keys(kFigures)];
// Those that tell something of this analysis.
export const colorKeysOf = (analysis: Analysis): string[] =>
  analysis.hasPlan ? kColorKeys.filter((key) => kKinds[key]?.isShown?.(analysis) ?? true) : ["macs"];
export const colorLabel = (key: string): string => (kKinds[key] ?? kFigures[key])!.label;

// What the colour by `key` says of a node in words; "" where colour tells a figure or nothing.
export const kindOf = (key: string, analysis: Analysis, node: number): string =>
  kKinds[key]?.of(analysis, analysis.leafOf[node]!) ?? "";

export interface LegendRow {
  label: string;
  mark: Mark;
}

// The marks of one analysis by one key.
export class Palette {
  private readonly marks: Mark[] = [];
  kinds: Mark[] = []; // none where colour tells a figure
  readonly legend: LegendRow[] = [];

  constructor(private readonly analysis: Analysis, readonly key: string) {
    if (key in kKinds) this.fillKinds(kKinds[key]!);
    else this.fillFigures((kFigures[key] ?? kFigures["time"])!);
  }
  of(leaf: number): Mark {
    return this.marks[leaf]!;
  }
  // What the boxes say of the leaves in them that pass: the kind that takes most of their time, or the largest figure.
  ofBoxes(leaves: number[]): (Mark | null)[] {
    const { analysis } = this;
    const best: (Mark | null)[] = make(analysis.boxes.length, () => null);
    const size = this.kinds.length;
    const times = new Float64Array(analysis.boxes.length * size);
    for (const leaf of leaves) {
      const mark = this.marks[leaf]!;
      const kind = this.kinds.indexOf(mark);
      if (kind < 0 && mark.share === null) continue;
      const time = analysis.groupNumber("time_s", leaf) || Number.MIN_VALUE;
      for (let box = analysis.placeOf(leaf); box >= 0; box = analysis.boxes[box]!.parent) {
        const own = best[box] ?? null;
        if (kind < 0) {
          if (own === null || mark.share! > own.share!) best[box] = mark;
          continue;
        }
        const sum = (times[box * size + kind]! += time);
        if (own === null || sum > times[box * size + this.kinds.indexOf(own)]!) best[box] = mark;
      }
    }
    return best;
  }
  // A mark for nothing in particular, such as a closed module.
  static get plain(): Mark {
    return { fill: mix(theme.surface, theme.ink, 0.1), shape: null, share: null };
  }

  private fillKinds(kind: Kind): void {
    const names = kind.order(this.analysis);
    const fills = kind.fills?.() ?? theme.kinds.map((color) => mix(theme.surface, color, 0.62));
    const byName = new Map(names.map((name, i) => [name, {
      fill: fills[i % fills.length]!, shape: kShapes[i % kShapes.length]!, share: null,
    }]));
    this.kinds = [...byName.values()];
    const seen = new Set<string>();
    for (let node = 0; node < this.analysis.nodes.size; ++node) {
      const name = kind.of(this.analysis, node);
      const mark = byName.get(name);
      if (mark !== undefined) seen.add(name);
      this.marks.push(mark ?? Palette.plain);
    }
    for (const [label, mark] of byName) if (seen.has(label)) this.legend.push({ label, mark });
  }

  private fillFigures(figure: Figure): void {
    const values = make(this.analysis.nodes.size, (node) => figure.of(this.analysis, node));
    let most = 0;
    for (const value of values) if (Number.isFinite(value)) most = Math.max(most, value);
    if (figure.isShare) most = 1;
    const markAt = (share: number): Mark =>
      ({ fill: mix(theme.surface, theme.ramp, 0.06 + 0.74 * Math.sqrt(share)), shape: null, share });
    const steps = Array.from({ length: 65 }, (_, i) => markAt(i / 64));
    for (const value of values) {
      const share = most > 0 && Number.isFinite(value) ? Math.min(1, Math.max(0, value / most)) : NaN;
      this.marks.push(Number.isNaN(share) ? Palette.plain : steps[Math.round(share * 64)]!);
    }
    for (const share of [0, 0.25, 0.5, 1]) this.legend.push({ label: figure.show(most * share), mark: markAt(share) });
  }
}
