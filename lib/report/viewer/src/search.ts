// Searches nodes and modules. The best match comes first: a whole name before a part of one, a node before a module.
import { make } from "./data.js";
import { h, name } from "./dom.js";
import * as format from "./format.js";
import type { Analysis } from "./model.js";
import type { State } from "./state.js";

interface Match {
  node: number; // -1 = a box
  box: number;
  score: number; // less is better
}

const kShown = 40;

// How well `own` fits: 0 whole, 1 its last part, 2 begins a part, 3 inside; none = not at all.
function fit(own: string, query: string): number | null {
  const at = own.indexOf(query);
  if (at < 0) return null;
  if (own.length === query.length) return 0;
  const startsPart = at === 0 || "/._:-#".includes(own[at - 1]!);
  if (startsPart && at + query.length === own.length) return 1;
  return startsPart ? 2 : 3;
}

// As a field for one line takes it.
const inOneLine = (text: string): string => text.replace(/\s+/g, " ");

export class Search {
  readonly input = h("input", { type: "search", "aria-label": "Search", placeholder: "Search nodes and modules  ( / )",
                                autocomplete: "off", spellcheck: "false", id: "search" });
  readonly element: HTMLElement;
  private readonly list = h("ul", { class: "matches", hidden: true, "aria-label": "Matches" });
  private readonly status = h("div", { class: "hidden", role: "status" });
  private index: { analysis: Analysis; labels: string[]; ops: string[]; outputs: string[][]; paths: string[] } | null =
    null;

  constructor(private readonly state: State) {
    this.element = h("div", { class: "search" }, this.input, this.list, this.status);
    this.input.addEventListener("input", () => this.render());
    this.input.addEventListener("focus", () => this.render());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.element.addEventListener("keydown", (event) => event.stopPropagation());  // no letter is a command here
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.list.hidden = true;
    });
  }

  private indexOf(analysis: Analysis): NonNullable<typeof this.index> {
    if (this.index?.analysis === analysis) return this.index;
    const nodes = make(analysis.nodes.size, (node) => node);
    this.index = {
      analysis,
      labels: nodes.map((node) => inOneLine(analysis.label(node)).toLowerCase()),
      ops: nodes.map((node) => analysis.nodes.text("op", node).toLowerCase()),
      outputs: nodes.map((node) => analysis.nodes.list("output_ids", node)
        .map((value) => (typeof value === "number" ? analysis.values.text("name", value).toLowerCase() : ""))),
      paths: analysis.boxes.map((box) => (box.kind === "module" ? box.path.toLowerCase() : "")),
    };
    return this.index;
  }

  matches(text: string): Match[] {
    const { analysis } = this.state;
    const query = inOneLine(text).trim().toLowerCase();
    if (query === "") return [];
    const { labels, ops, outputs, paths } = this.indexOf(analysis);
    const found: Match[] = [];
    const exact = analysis.find(text.trim());
    if (exact >= 0) found.push({ node: exact, box: -1, score: -1 });
    for (let node = 0; node < labels.length; ++node) {
      if (node === exact) continue;
      let score = fit(labels[node]!, query);
      if (score === null && outputs[node]!.some((output) => output.includes(query))) score = 4;
      if (score === null && ops[node]!.includes(query)) score = ops[node] === query ? 5 : 6;
      if (score !== null) found.push({ node, box: -1, score: score + (analysis.isConstant(node) ? 0.6 : 0) });
    }
    for (let box = 0; box < paths.length; ++box) {
      const score = paths[box] === "" ? null : fit(paths[box]!, query);
      if (score !== null) found.push({ node: -1, box, score: score + 0.5 });
    }
    return found.sort((a, b) => a.score - b.score);
  }

  private choose(match: Match): void {
    this.list.hidden = true;
    if (match.node >= 0) this.state.selectNode(match.node);
    else this.state.selectBox(match.box);
  }
  private render(): void {
    const found = this.matches(this.input.value);
    const { analysis } = this.state;
    this.list.hidden = this.input.value.trim() === "";
    this.status.textContent = this.list.hidden ? "" : `${format.plain(found.length)} matches`;
    const rows = found.slice(0, kShown).map((match) => {
      const label = match.node >= 0 ? analysis.label(match.node) : analysis.boxes[match.box]!.path;
      const kind = match.node >= 0 ? analysis.nodes.text("op", match.node) : "module";
      return h("li", {}, h("button", { type: "button", tabindex: -1, click: () => this.choose(match) },
        h("span", { class: "kind" }, kind), name(label)));
    });
    if (found.length === 0) rows.push(h("li", { class: "none" }, "nothing found"));
    if (found.length > kShown) rows.push(h("li", { class: "none" }, `and ${format.plain(found.length - kShown)} more`));
    this.list.replaceChildren(...rows);
  }
  private key(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      const best = this.matches(this.input.value)[0];
      if (best !== undefined) this.choose(best);
      event.preventDefault();
    } else if (event.key === "ArrowDown") {
      this.list.querySelector("button")?.focus();
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (this.list.hidden) this.input.blur();
      this.list.hidden = true;
    }
  }
  private walk(event: KeyboardEvent): void {
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (event.key === "ArrowDown") buttons[Math.min(buttons.length - 1, at + 1)]?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? buttons[at - 1]! : this.input).focus();
    else if (event.key === "Escape") {
      this.input.focus();
      this.list.hidden = true;
    } else {
      // What is typed goes on in the box.
      if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) this.input.focus();
      return;
    }
    event.preventDefault();
  }
}
