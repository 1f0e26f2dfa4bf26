// The page: a frame around one state and its views.
import "./style.css";
import { comparison, hearSelection, isPane, Panes, tell } from "./comparison.js";
import { type Cell, dataElements, readDocuments } from "./data.js";
import { Details } from "./details.js";
import { button, download, h, name, select, shown } from "./dom.js";
import { Filters } from "./filters.js";
import * as format from "./format.js";
import { Graph } from "./graph.js";
import { Icicle } from "./icicle.js";
import type { CanvasView } from "./canvas_view.js";
import { Memory } from "./memory.js";
import { Analysis } from "./model.js";
import { Roofline } from "./roofline.js";
import { Search } from "./search.js";
import { hearFiles } from "./second.js";
import { type Change, kTabs, State, type Tab } from "./state.js";
import { Summary } from "./summary.js";
import { TableView } from "./table.js";
import { nextTheme, startTheme, themeChoice } from "./theme.js";
import { Timeline } from "./timeline.js";
import { Tree } from "./tree.js";

const kPrintedRows = 60;

interface View {
  element: HTMLElement;
  update(change: Change): void;
}

class Page {
  private readonly state: State;
  private readonly tree: Tree;
  private readonly details: Details;
  private readonly filters: Filters;
  private readonly search: Search;
  private readonly views = new Map<Tab, View>();
  private readonly late = new Map<Tab, Set<Change>>(); // what hidden views have not heard yet
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly panels = new Map<Tab, HTMLElement>();
  private readonly print = h("div", { class: "print", "aria-hidden": "true" });
  private readonly icicle: Icicle;
  private readonly middle = h("div", { class: "center" });
  private readonly drawers = new Map<string, HTMLElement>(); // their buttons
  private isReading = true; // the address, which must not be written meanwhile

  constructor(analyses: Analysis[], private readonly elements: Element[]) {
    this.state = new State(analyses);
    this.icicle = new Icicle(this.state);
    this.tree = new Tree(this.state);
    this.details = new Details(this.state, () => this.openInGraph());
    this.filters = new Filters(this.state);
    this.search = new Search(this.state);
    const nav = h("nav", { "aria-label": "Model", id: "modules" }, this.tree.element);
    this.filters.element.id = "filters";
    document.body.replaceChildren(this.header(), this.filters.element, h("main", {}, nav, this.center(),
      this.details.element), this.print);
    // On a narrow screen a choice or a touch beside it closes the drawer.
    this.middle.addEventListener("pointerdown", () => this.drawer("modules", false));
    this.state.watch((change) => this.hear(change));
    startTheme(() => this.state.notify("theme"));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.readAddress());
    addEventListener("beforeprint", () => this.fillPrint());
    matchMedia("print").addEventListener("change", (event) => event.matches && this.fillPrint());
    this.show("Summary");
    this.readAddress();
    hearSelection((node) => {
      if (node === this.state.node) return;
      if (node < 0) this.state.clearSelection();
      else this.state.selectNode(node);
    });
  }

  private header(): HTMLElement {
    const { analysis, analyses } = this.state;
    const model = format.textOf(analysis.request["model"]).split("/").pop() || format.textOf(analysis.model["name"]);
    const target = format.textOf(analysis.request["target"]);
    const theme = button("◐", { "aria-label": "Theme: automatic", title: "Light or dark" }, () => {
      nextTheme();
      theme.setAttribute("aria-label", `Theme: ${themeChoice() === "auto" ? "automatic" : themeChoice()}`);
    });
    const which = analyses.length < 2 ? null : select("Analysis shown",
      analyses.map((one, i) => ({ value: String(i),
        label: `${"AB"[i] ?? i + 1}: ${shown(format.textOf(one.request["target"]))}` })),
      (index) => this.state.showAnalysis(Number(index)));
    return h("header", {},
      this.drawerButton("☰", "Modules", "modules"),
      h("h1", {}, name(model), ...(target === "" ? [] : [h("span", { class: "on" }, " on "), name(target),
        h("span", { class: "on" }, shown(settingsOf(analysis.request)))])),
      which, this.search.element,
      h("div", { class: "actions" }, this.drawerButton("Filter", "Filter and colours", "filters"),
        button("◂", { "aria-label": "Previous bottleneck", title: "The next more expensive kernel (p)" },
               () => this.state.stepBottleneck(-1)),
        button("▸", { "aria-label": "Next bottleneck", title: "The next cheaper kernel (n)" },
               () => this.state.stepBottleneck(1)),
        button("SVG", { class: "wide", title: "Save the picture of this tab as SVG" }, () => this.savePicture("svg")),
        button("PNG", { class: "wide", title: "Save the picture of this tab as PNG" }, () => this.savePicture("png")),
        ...(isPane() ? [] : [hearFiles(() => ({ analysis: this.state.analysis,
                                                element: this.elements[this.state.index]! }))]), theme));
  }
  // On a narrow screen the tree and the filters are drawers: what they cover is the view.
  private drawerButton(label: string, title: string, id: string): HTMLElement {
    const own = button(label, { class: "narrow", "aria-label": title, title, "aria-controls": id,
      "aria-expanded": "false" }, () => this.drawer(id, !document.getElementById(id)!.classList.contains("open")));
    this.drawers.set(id, own);
    return own;
  }
  private drawer(id: string, isOpen: boolean): void {
    document.getElementById(id)?.classList.toggle("open", isOpen);
    this.drawers.get(id)?.setAttribute("aria-expanded", String(isOpen));
  }

  private center(): HTMLElement {
    const list = h("div", { role: "tablist", "aria-label": "Views" });
    const center = this.middle;
    center.append(list);
    for (const tab of kTabs) {
      const own = button(tab, { role: "tab", id: `tab-${tab}`, "aria-controls": `panel-${tab}`,
        "aria-selected": "false", tabindex: -1 },
        () => this.show(tab));
      const panel = h("div", { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}`, hidden: true });
      this.tabs.set(tab, own);
      this.panels.set(tab, panel);
      list.append(own);
      center.append(panel);
    }
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -kTabs.length, End: kTabs.length }[event.key];
      if (step === undefined) return;
      const at = kTabs.indexOf(this.state.tab) + step;
      this.show(kTabs[Math.abs(step) === 1 ? (at + kTabs.length) % kTabs.length : step < 0 ? 0 : kTabs.length - 1]!);
      this.tabs.get(this.state.tab)!.focus();
      event.preventDefault();
    });
    return center;
  }

  // Views are made when their tab is first shown.
  private make(tab: Tab): View {
    const { state } = this;
    const needsPlan = tab === "Timeline" || tab === "Memory" || tab === "Roofline";
    if (needsPlan && !state.analysis.hasPlan) {
      return { element: h("p", { class: "hint" }, "There is no plan to show: analyse with --target."),
        update: () => {} };
    }
    switch (tab) {
      case "Summary": return new Summary(state, this.icicle);
      case "Graph": return new Graph(state);
      case "Timeline": return new Timeline(state);
      case "Memory": return new Memory(state);
      case "Roofline": return new Roofline(state);
      case "Table": return new TableView(state);
    }
  }
  show(tab: Tab): void {
    this.state.tab = tab;
    for (const [other, own] of this.tabs) {
      own.setAttribute("aria-selected", String(other === tab));
      own.tabIndex = other === tab ? 0 : -1;
      this.panels.get(other)!.hidden = other !== tab;
    }
    let view = this.views.get(tab);
    if (view === undefined) {
      view = this.make(tab);
      this.views.set(tab, view);
      this.panels.get(tab)!.append(view.element);
      this.picture()?.resize();
      view.update("selection");
    }
    for (const change of this.late.get(tab) ?? []) view.update(change);
    this.late.delete(tab);
    this.writeAddress();
  }

  private hear(change: Change): void {
    this.tree.update(change);
    this.details.update(change);
    this.filters.update(change);
    for (const [tab, view] of this.views) {
      if (tab === this.state.tab) view.update(change);
      else this.late.set(tab, (this.late.get(tab) ?? new Set()).add(change));
    }
    if (change === "selection" && this.state.node >= 0) this.drawer("modules", false);
    if (change === "selection") tell({ hwest: "selected", node: this.state.node });
    this.writeAddress();
  }

  private picture(): CanvasView | null {
    const { tab } = this.state;
    if (tab === "Summary") return this.icicle;
    const view = this.views.get(tab);
    return view !== undefined && "toSvg" in view ? (view as unknown as CanvasView) : null;
  }
  private savePicture(kind: "svg" | "png"): void {
    const picture = this.picture();
    if (picture === null) return;
    const file = `${picture.title.toLowerCase().replaceAll(" ", "-")}.${kind}`;
    if (kind === "svg") download(file, picture.toSvg().blob());
    else void picture.toPng().then((blob) => blob !== null && download(file, blob));
  }
  private openInGraph(): void {
    this.show("Graph");
    (this.views.get("Graph") as Graph).toggleSelected();
  }

  // The picture of the tab as SVG and the first rows of the kernels, for paper.
  private fillPrint(): void {
    const picture = this.picture();
    const table = (this.views.get("Table") as TableView | undefined) ?? new TableView(this.state);
    this.print.replaceChildren(...(picture?.isShown ? [picture.toSvg().svg] : []), table.printed(kPrintedRows));
  }

  private key(event: KeyboardEvent): void {
    const at = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.middle.isConnected) return;
    if (at.tagName === "INPUT" || at.tagName === "SELECT") {
      if (event.key === "Escape") at.blur();
      return;
    }
    const tab = kTabs[Number(event.key) - 1];
    if (event.key === "n") this.state.stepBottleneck(1);
    else if (event.key === "p") this.state.stepBottleneck(-1);
    else if (event.key === "/") this.search.input.focus();
    else if (event.key === "Escape") this.escape();
    else if (tab !== undefined) this.show(tab);
    else return;
    event.preventDefault();
  }

  private escape(): void {
    for (const id of this.drawers.keys()) this.drawer(id, false);
    this.state.clearSelection();
  }

  // The selection, tab, colours and filter stand in the address, so that a link shows the same.
  private writeAddress(): void {
    // A frame of a notebook has no address.
    if (this.isReading || isPane() || location.protocol === "about:" || !this.middle.isConnected) return;
    const { analysis, node, box, tab, color, filter, index } = this.state;
    const parts = new URLSearchParams();
    if (node >= 0) {
      const label = analysis.label(node);
      parts.set("node", analysis.find(label) === node ? label : `#${node}`);
    } else if (box > 0 && analysis.boxes[box]!.kind === "module") parts.set("module", analysis.boxes[box]!.path);
    if (tab !== "Summary") parts.set("tab", tab);
    if (color !== (analysis.hasPlan ? "bound" : "macs")) parts.set("color", color);
    if (index > 0) parts.set("analysis", String(index));
    for (const key of ["op", "unit", "bound", "text", "mark"] as const) {
      if (filter[key] !== "") parts.set(key, filter[key]);
    }
    if (filter.module >= 0) parts.set("inside", analysis.boxes[filter.module]!.path);
    const hash = parts.size === 0 ? "" : `#${parts}`;
    if (hash !== location.hash) history.replaceState(null, "",
                                                     hash === "" ? location.pathname + location.search : hash);
  }
  private readAddress(): void {
    const parts = new URLSearchParams(location.hash.slice(1));
    this.isReading = true;
    const { state } = this;
    const index = Number(parts.get("analysis") ?? 0);
    if (index !== state.index && index < state.analyses.length) state.showAnalysis(index);
    const text = (key: string): string => parts.get(key) ?? "";
    if (parts.has("color")) state.setColor(text("color"));
    const filter = { op: text("op"), unit: text("unit"), bound: text("bound"), text: text("text"),
      mark: text("mark"), module: parts.has("inside") ? state.analysis.findBox(text("inside")) : -1 };
    if (Object.entries(filter).some(([, value]) => value !== "" && value !== -1)) state.setFilter(filter);
    const tab = kTabs.find((one) => one === parts.get("tab"));
    if (tab !== undefined && tab !== state.tab) this.show(tab);
    // "#node=a+b" is as well a name with a plus as one with a blank.
    const raw = /(?:^|[#&])node=([^&]*)/.exec(location.hash)?.[1];
    const names = raw === undefined ? [] : [text("node"), decoded(raw), raw];
    const node = names.map((one) => state.analysis.find(one)).find((one) => one >= 0);
    if (node !== undefined) state.selectNode(node);
    else if (parts.has("module") &&
             state.analysis.findBox(text("module")) >= 0) state.selectBox(state.analysis.findBox(text("module")));
    this.isReading = false;
  }
}

// Beside the target: what the figures are of.
function settingsOf(request: Record<string, Cell>): string {
  const mode = format.textOf(request["mode"]), batch = format.textOf(request["batch"]);
  return ["", mode, format.textOf(request["precision"]), batch === "" ? "" : `batch ${batch}`]
    .filter((text, i) => i === 0 || text !== "").join(", ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function start(): Promise<void> {
  const what = comparison();
  if (what !== null) {
    new Panes(what, dataElements());
    return;
  }
  const elements = dataElements(), documents = await readDocuments();
  new Page(documents.map((one) => new Analysis(one)), elements);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark("ready");
    document.documentElement.dataset["ready"] = "1";
    tell({ hwest: "ready" });
  }));
}

start().catch((error: unknown) => {
  document.body.replaceChildren(h("p", {},
      `This report cannot be shown: ${String(error)}. Chromium 103, Firefox 113 or Safari 16.4 and newer can.`));
  document.documentElement.dataset["ready"] = "0";
});
