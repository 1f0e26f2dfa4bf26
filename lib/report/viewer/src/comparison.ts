// Two analyses side by side: the differences, and a pane with the whole page for each, sharing one selection.
import { button, h, name, shown, table, whole } from "./dom.js";
import { makeSortable } from "./sortable.js";
import { startTheme } from "./theme.js";

// As lib/diff/report.cc writes it.
export interface Change {
  mark: string;
  a: number | null; // node of that side
  b: number | null;
  op: string;
  name: string;
  delta: string;
  what: string[];
}
export interface Comparison {
  a: string;
  b: string;
  left_out: number; // changes that are not listed
  totals: string[][];
  changes: Change[];
  pairs: number[]; // node of b by node of a; -1 = none
}

type Message = { hwest: "ready" } | { hwest: "selected" | "select"; node: number };
const kSides = ["a", "b"] as const;
type Side = (typeof kSides)[number];
const other = (side: Side): Side => (side === "a" ? "b" : "a");

export function comparison(): Comparison | null {
  const text = document.getElementById("comparison")?.textContent;
  return text == null ? null : (JSON.parse(text) as Comparison);
}

const ownScript = document.currentScript;

// In a pane: tells the page around it what is selected, and selects what that says.
export const isPane = (): boolean => document.documentElement.dataset["pane"] !== undefined;
export function tell(message: Message): void {
  if (isPane()) parent.postMessage(message, "*");
}
export function hearSelection(select: (node: number) => void): void {
  if (!isPane()) return;
  addEventListener("message", (event) => {
    const message = event.data as Message;
    if (event.source === parent && message.hwest === "select") select(message.node);
  });
}

export class Panes {
  private readonly frames: { [side in Side]: HTMLIFrameElement };
  private readonly selected: { [side in Side]: number } = { a: -1, b: -1 };
  private readonly partner: { [side in Side]: Map<number, number> } = { a: new Map(), b: new Map() };
  private readonly rows = new Map<Change, HTMLElement>();
  private waiting = 2;

  // `close` goes back to what was shown before, if there was something.
  constructor(private readonly what: Comparison, documents: Element[], close: (() => void) | null = null) {
    what.pairs.forEach((b, a) => {
      if (b < 0) return;
      this.partner.a.set(a, b);
      this.partner.b.set(b, a);
    });
    this.frames = { a: this.pane("a", documents[0]!), b: this.pane("b", documents[1]!) };
    delete document.documentElement.dataset["ready"]; // until both panes are
    startTheme(() => {});
    addEventListener("message", (event) => this.hear(event));
    const [label, before, after, , share] = what.totals[0] ?? [];
    const isSame = share === undefined || share === "";
    document.body.replaceChildren(h("main", { class: "comparison" },
      close === null ? null : h("div", { class: "back" }, button("Show the first report alone", {}, close)),
      h("h1", {}, h("span", { class: "side" }, "A"), h("bdi", {}, whole(what.a)), h("br"),
        h("span", { class: "side" }, "B"), h("bdi", {}, whole(what.b))),
      label === undefined ? null : h("p", { class: "verdict" }, `B has a ${label.toLowerCase()} of ${after}, ${isSame
        ? "as A has" : `${share} against ${before} of A`}.`),
      h("div", { class: "above" }, table("Totals", ["Figure", "A", "B", "difference", "share"], what.totals, [0]),
        this.changes()),
      h("div", { class: "panes" }, this.frames.a, this.frames.b)));
  }

  // The page itself with one of its documents; the policy of this page holds there, too.
  private pane(side: Side, data: Element): HTMLIFrameElement {
    return h("iframe", { title: `${side.toUpperCase()}: ${shown(this.what[side])}`,
      srcdoc: `<!doctype html><html lang="en" data-pane="${side}">${document.head.outerHTML}<body>${data.outerHTML}${ownScript!.outerHTML}</body></html>` });
  }

  private changes(): HTMLElement {
    const { changes, left_out } = this.what;
    const body = h("tbody");
    for (const change of changes) {
      const press = (): void => this.select(change);
      const row = h("tr", { tabindex: 0, click: press,
        keydown: (event: KeyboardEvent) => (event.key === "Enter" || event.key === " ") &&
          (event.preventDefault(), press()) },
        [change.mark, change.delta, change.op].map((text) => h("td", {}, text)), h("td", {}, name(change.name)),
        h("td", {}, shown(change.what.join("; "))));
      this.rows.set(change, row);
      body.append(row);
    }
    const heads = ["", "difference", "op", "node", "what"].map((head) => h("th", { scope: "col" }, head));
    const list = h("table", { class: "plain" }, h("caption", {}, "Differences"),
                   h("thead", {}, h("tr", {}, heads)), body);
    makeSortable(list);
    return h("div", { class: "changes" }, list,
      h("p", { class: "hint" }, changes.length === 0 ? "No node differs."
        : `- removed, + added, ~ changed, > on another unit, g in another kind of group${left_out > 0 ? `; ${left_out} more are not listed` : ""}`));
  }

  private select(change: Change): void {
    for (const side of kSides) this.send(side, change[side] ?? this.partnerOf(other(side), change[other(side)] ?? -1));
  }
  private partnerOf(side: Side, node: number): number {
    return this.partner[side].get(node) ?? -1;
  }

  private send(side: Side, node: number): void {
    if (this.selected[side] === node) return;
    this.selected[side] = node;
    this.frames[side].contentWindow?.postMessage({ hwest: "select", node } satisfies Message, "*");
    this.mark();
  }

  private hear(event: MessageEvent): void {
    const side = kSides.find((one) => event.source === this.frames[one].contentWindow);
    const message = event.data as Message;
    if (side === undefined) return;
    if (message.hwest === "ready" && --this.waiting === 0) document.documentElement.dataset["ready"] = "1";
    if (message.hwest !== "selected" || message.node === this.selected[side]) return;
    this.selected[side] = message.node;
    this.send(other(side), this.partnerOf(side, message.node));
    this.mark();
  }

  private mark(): void {
    const { a, b } = this.selected;
    for (const [change, row] of this.rows) {
      row.classList.toggle("chosen", (change.a !== null && change.a === a) || (change.b !== null && change.b === b));
    }
  }
}
