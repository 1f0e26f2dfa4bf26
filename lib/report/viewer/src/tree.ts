// The tree of modules, down to every node. Branches are made when they are opened.
import { h, name } from "./dom.js";
import * as format from "./format.js";
import type { Mark } from "./colors.js";
import type { Change, State } from "./state.js";

interface Item {
  node: number; // -1 = a box
  box: number;
}

export class Tree {
  readonly element = h("ul", { role: "tree", "aria-label": "Modules", class: "tree" });
  private readonly boxes = new Map<number, HTMLElement>(); // made so far
  private readonly leaves = new Map<number, HTMLElement>();
  private readonly items = new WeakMap<HTMLElement, Item>();
  private stop: HTMLElement | null = null; // where Tab enters
  private chosen: HTMLElement | null = null;

  constructor(private readonly state: State) {
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.build();
  }
  update(change: Change): void {
    if (change === "analysis") this.build();
    if (change === "analysis" || change === "selection") this.showSelection();
    if (change !== "selection") this.paint();
  }

  private build(): void {
    this.boxes.clear();
    this.leaves.clear();
    this.chosen = null;
    const root = this.makeBox(0, 1);
    this.element.replaceChildren(root);
    this.setStop(root);
    this.expand(0);
    // Names that have one member only are no choice.
    const { boxes } = this.state.analysis;
    const choices = (id: number): number[] => boxes[id]!.boxes.filter((box) => !this.isConstants(box));
    for (let box = 0; choices(box).length === 1 && boxes[box]!.nodes.length === 0;) {
      box = choices(box)[0]!;
      this.expand(box);
    }
  }
  // Colour and filter, as in the pictures: of a module what its kernels say together.
  private paint(): void {
    for (const [box, element] of this.boxes) this.paintItem(element, this.state.boxMark(box).mark,
                                                            this.state.isBoxDim(box));
    for (const [node, element] of this.leaves) this.paintLeaf(node, element);
  }
  private paintLeaf(node: number, element: HTMLElement): void {
    const { analysis, palette, isFiltered, nodePasses } = this.state;
    this.paintItem(element, analysis.needsNoKernel(node) ? null : palette.of(analysis.leafOf[node]!),
                   isFiltered && nodePasses[node] === 0);
  }
  private paintItem(element: HTMLElement, mark: Mark | null, isDim: boolean): void {
    element.classList.toggle("dim", isDim);
    const swatch = element.querySelector<HTMLElement>(".swatch")!;
    swatch.style.background = mark === null || isDim ? "none" : mark.fill;
    swatch.style.setProperty("--share", `${(mark?.share ?? 0) * 100}%`);
  }
  private isConstants(id: number): boolean {
    const box = this.state.analysis.boxes[id]!;
    return box.kind === "part" && box.isConstants;
  }
  private makeItem(item: Item, level: number, label: string, figure: string, hasMembers: boolean,
                   isPart: boolean): HTMLElement {
    const text = h("span", { class: "label" }, name(label));
    const row = h("div", { class: "item" },
      h("span", { class: "twist", "aria-hidden": "true" }, hasMembers ? "▸" : ""),
      h("span", { class: "swatch", "aria-hidden": "true" }), text,
      h("span", { class: "figure" }, figure));
    row.style.paddingLeft = `${Math.min(14, level - 1) * 12 + 4}px`;
    if (isPart) row.classList.add("part");
    const element = h("li", { role: "treeitem", "aria-level": level, tabindex: -1, "aria-selected": "false",
                              "aria-expanded": hasMembers ? "false" : null }, row);
    element.title = label.slice(0, 500);
    this.items.set(element, item);
    return element;
  }
  private makeBox(id: number, level: number): HTMLElement {
    const { analysis } = this.state;
    const box = analysis.boxes[id]!;
    const figure = analysis.hasPlan ? (Number.isNaN(box.time_s) ? "" : analysis.shareOf(box)) : format.plain(box.count);
    const element = this.makeItem({ node: -1, box: id }, level, box.name, figure,
                                  box.boxes.length + box.nodes.length > 0, box.kind === "part");
    this.boxes.set(id, element);
    this.paintItem(element, this.state.boxMark(id).mark, this.state.isBoxDim(id));
    return element;
  }
  private makeLeaf(node: number, level: number): HTMLElement {
    const { analysis } = this.state;
    const label = analysis.label(node);
    const path = analysis.nodes.text("module", node);
    const inside = path !== "" && label.startsWith(`/${path}/`) ? label.slice(path.length + 2) : label;
    const element = this.makeItem({ node, box: -1 }, level, inside, analysis.nodes.text("op", node), false, false);
    element.title = label.slice(0, 500);
    element.classList.add("leaf");
    this.leaves.set(node, element);
    this.paintLeaf(node, element);
    return element;
  }

  private expand(id: number): void {
    const element = this.boxes.get(id);
    const { boxes, nodes } = this.state.analysis.boxes[id]!;
    if (element === undefined || boxes.length + nodes.length === 0) return;
    const level = Number(element.getAttribute("aria-level")) + 1;
    if (element.querySelector(":scope > ul") === null) {
      const first = (member: Item): number => (member.node >= 0 ? member.node
                                               : this.state.analysis.boxes[member.box]!.first);
      const rank = (member: Item): number => (member.box >= 0 && this.isConstants(member.box) ? 1 : 0);
      const members: Item[] = [...boxes.map((box) => ({ node: -1, box })), ...nodes.map((node) => ({ node, box: -1 }))];
      members.sort((a, b) => rank(a) - rank(b) || first(a) - first(b));
      element.append(h("ul", { role: "group" },
        members.map((member) => (member.node >= 0 ? this.makeLeaf(member.node, level)
                                 : this.makeBox(member.box, level)))));
    }
    this.setExpanded(element, true);
  }
  private setExpanded(element: HTMLElement, isExpanded: boolean): void {
    if (!element.hasAttribute("aria-expanded")) return;
    element.setAttribute("aria-expanded", String(isExpanded));
    element.querySelector(".twist")!.textContent = isExpanded ? "▾" : "▸";
    const group = element.querySelector<HTMLElement>(":scope > ul");
    if (group !== null) group.hidden = !isExpanded;
  }
  private toggle(element: HTMLElement): void {
    const item = this.items.get(element)!;
    if (item.node >= 0) return;
    if (element.getAttribute("aria-expanded") === "true") this.setExpanded(element, false);
    else this.expand(item.box);
  }
  private setStop(element: HTMLElement): void {
    this.stop?.setAttribute("tabindex", "-1");
    this.stop = element;
    element.setAttribute("tabindex", "0");
  }
  private choose(element: HTMLElement): void {
    const item = this.items.get(element)!;
    if (item.node >= 0) this.state.selectNode(item.node);
    else this.state.selectBox(item.box);
  }

  private showSelection(): void {
    this.chosen?.setAttribute("aria-selected", "false");
    this.chosen = null;
    const { node, box, analysis } = this.state;
    if (node < 0 && box < 0) return;
    for (const at of analysis.lineage(node >= 0 ? analysis.boxOf[node]! : analysis.boxes[box]!.parent)) this.expand(at);
    const element = node >= 0 ? this.leaves.get(node) : this.boxes.get(box);
    if (element === undefined) return;
    element.setAttribute("aria-selected", "true");
    this.chosen = element;
    this.setStop(element);
    element.querySelector(".item")!.scrollIntoView({ block: "nearest" });
  }

  private click(event: MouseEvent): void {
    const element = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (element === null) return;
    if ((event.target as Element).classList.contains("twist")) this.toggle(element);
    else if (this.chosen === element) this.toggle(element);
    else {
      this.choose(element);
      const item = this.items.get(element)!;
      if (item.box >= 0) this.expand(item.box);
    }
    this.setStop(element);
    element.focus({ preventScroll: true });
  }
  private key(event: KeyboardEvent): void {
    const element = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (element === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = element.getAttribute("aria-expanded") === "true";
    let next: HTMLElement | null | undefined = null;
    if (event.key === "ArrowDown") next = this.neighbour(element, 1);
    else if (event.key === "ArrowUp") next = this.neighbour(element, -1);
    else if (event.key === "ArrowRight") {
      if (isOpen) next = element.querySelector<HTMLElement>(":scope > ul > li");
      else this.toggle(element);
    } else if (event.key === "ArrowLeft") {
      if (isOpen) this.toggle(element);
      else next = element.parentElement!.closest<HTMLElement>("[role=treeitem]");
    } else if (event.key === "Home") next = this.visible()[0];
    else if (event.key === "End") next = this.visible().pop();
    else if (event.key === "Enter" || event.key === " ") this.choose(element);
    else if (event.key === "*") {
      for (const sibling of element.parentElement!.children) this.expandElement(sibling as HTMLElement);
    }
    else return;
    event.preventDefault();
    if (next === null || next === undefined) return;
    this.setStop(next);
    next.focus();
  }
  private expandElement(element: HTMLElement): void {
    const item = this.items.get(element)!;
    if (item.box >= 0) this.expand(item.box);
  }
  private visible(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>("[role=treeitem]")]
      .filter((item) => item.closest("ul[hidden]") === null);
  }
  private neighbour(element: HTMLElement, step: 1 | -1): HTMLElement | undefined {
    const all = this.visible();
    return all[all.indexOf(element) + step];
  }
}
