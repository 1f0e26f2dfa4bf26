// The page: files in, reports out. The program and the examples are scripts of their own beside the page, because a
// page opened from a disk may read nothing else; they load when the page is drawn.
import type { Answer, Run } from "./worker.js";

declare const WORKER: string; // the worker's script, by build.mjs
declare const EXAMPLES: Record<string, { title: string; args: string[] }>;

type Files = [name: string, file: Blob | string][];
const at = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [say, notes, tabs] = [at("say"), at("notes"), at("tabs")];
const frame = at<HTMLIFrameElement>("report"), save = at<HTMLAnchorElement>("save");

class Program {
  private readonly worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private number = 0;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
    };
    loadPart("program", (base64) => this.worker.postMessage(base64));
  }

  run(args: string[], files: Files, type = "text/plain"): Promise<Answer> {
    const run: Run = { id: ++this.number, args, files, type };
    this.worker.postMessage(run);
    return new Promise((done) => this.waiting.set(run.id, done));
  }
}

// A script that calls hwestPart(name, content).
const parts = new Map<string, (content: string) => void>();
Object.assign(globalThis, { hwestPart: (name: string, content: string) => parts.get(name)?.(content) });

function loadPart(name: string, use: (content: string) => void) {
  parts.set(name, use);
  const script = document.createElement("script");
  script.src = `${name}.js`;
  script.onerror = () => fail(`${name}.js, which lies beside this page, could not be loaded`);
  document.head.append(script);
}

function fail(text: string) {
  say.textContent = "Refused:";
  notes.textContent = text;
  notes.hidden = false;
}

const nameOf = (path: string) => path.replace(/[?#].*$/, "").replace(/^.*\//, "") || "model.onnx";
// The model among dropped files: what ends in .onnx, else the first.
const modelOf = (files: Files) => (files.find(([name]) => name.endsWith(".onnx")) ?? files[0])[0];

class Page {
  private readonly program = new Program();
  private files: Files = [];
  private exampleArgs: string[] = [];
  private boards: string[] = [];
  private last = Promise.resolve();

  constructor() {
    this.choose(["jetson-orin"]);
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("over");
    });
    addEventListener("dragleave", () => document.body.classList.remove("over"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("over");
      this.take([...(event.dataTransfer?.files ?? [])]);
    });
    at<HTMLInputElement>("files").addEventListener("change", (event) => {
      const input = event.target as HTMLInputElement;
      this.take([...input.files!]);
      input.value = "";  // the same file once more is a choice, too
    });
    at("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.analyze();
    });
    at("all").addEventListener("click", () => this.sweep());
    at("rewrite").addEventListener("click", () => this.rewrite());
    at("board").addEventListener("change", (event) => {
      const input = event.target as HTMLInputElement, name = input.value.trim();
      if (name !== "") this.choose([...this.boards.filter((other) => other !== name), name]);
      input.value = "";
    });
    for (const [name, { title, args }] of Object.entries(EXAMPLES)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = title;
      button.addEventListener("click", () => loadPart(`example-${name}`, (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        this.set([[`${name}.onnx`, new Blob([bytes])]], args);
      }));
      at("examples").append(button);
    }
    const address = document.getElementById("address") as HTMLInputElement | null;
    address?.addEventListener(
        "change", () => address.value !== "" && this.set([[nameOf(address.value), address.value]]));
    void this.listBoards();
  }

  private async listBoards() {
    const answer = await this.program.run(["targets", "--json"], []);
    const { targets } = JSON.parse(await answer.stdout.text()) as { targets: { name: string; summary: string }[] };
    for (const { name, summary } of targets) {
      const option = document.createElement("option");
      option.value = name;
      option.label = summary;
      at("boards").append(option);
    }
    if (this.files.length === 0) say.textContent = `Ready: ${targets.length} boards.`;
  }

  private choose(boards: string[]) {
    this.boards = boards;
    at("chosen").replaceChildren(...boards.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${name} \u00d7`;
      button.title = `Without ${name}`;
      button.addEventListener("click", () => this.choose(this.boards.filter((other) => other !== name)));
      return button;
    }));
  }

  private take(files: File[]) {
    if (files.length > 0) this.set(files.map((file) => [file.name, file]));
  }

  private set(files: Files, args: string[] = []) {
    this.files = files;
    this.exampleArgs = args;
    this.analyze();
  }

  private words(): string[] {
    const options = at<HTMLInputElement>("options").value.match(/"[^"]*"|\S+/g) ?? [];
    return [...this.exampleArgs, ...options.map((word) => word.replace(/^"(.*)"$/, "$1"))];
  }

  // One thing after another: `work` for the model that was given.
  private with(what: string, work: (model: string) => Promise<string>) {
    this.last = this.last.then(() => this.do(what, work));
  }

  private async do(what: string, work: (model: string) => Promise<string>) {
    if (this.files.length === 0) {
      say.textContent = "Drop an ONNX file first, or choose an example.";
      return;
    }
    const begin = performance.now(), model = modelOf(this.files);
    notes.hidden = true;
    notes.textContent = "";
    say.textContent = `${model}: ${what}`;
    try {
      say.textContent = `${model}: ${await work(model)} ${Math.round(performance.now() - begin)} ms.`;
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }

  private async run(args: string[], type: string): Promise<Answer> {
    const answer = await this.program.run([...args, ...this.words()], this.files, type);
    for (const line of answer.stderr.split("\n").filter((line) => line !== "")) this.note(line);
    if (answer.status !== 0) throw new Error(notes.textContent ?? "");
    return answer;
  }

  // What was said of one board is not said of the next.
  private note(line: string) {
    const words = `${line.replace(/^onnx-hwest: /, "")}\n`;
    if (!notes.textContent!.includes(words)) notes.textContent += words;
    notes.hidden = false;
  }

  private show(title: string, page: Blob, file: string) {
    const address = URL.createObjectURL(page), tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.textContent = title;
    const select = () => {
      for (const other of tabs.children) other.setAttribute("aria-selected", String(other === tab));
      frame.src = save.href = address;
      save.download = file;
      frame.hidden = save.hidden = false;
    };
    tab.addEventListener("click", select);
    const same = [...tabs.children].find((other) => other.textContent === title);
    if (same === undefined) tabs.append(tab);
    else same.replaceWith(tab);
    select();
    document.body.classList.add("has-report");
  }

  private analyze() {
    this.with("analyzing", async (model) => {
      if (this.boards.length === 0) throw new Error("Choose a board.");
      tabs.replaceChildren();
      let read = 0;
      for (const board of this.boards) {
        const answer = await this.run([model, "--target", board, "--format", "html"], "text/html");
        read = answer.bytesRead;
        this.show(board, answer.stdout, `${model}.${board}.html`);
      }
      (tabs.firstElementChild as HTMLElement).click();
      return `${Math.round(read / 1024)} KB of it read,`;
    });
  }

  private sweep() {
    this.with("estimating on all boards", async (model) => {
      const answer = await this.run(["sweep", model, "--target", "all", "--format", "html"], "text/html");
      this.show("All boards", answer.stdout, `${model}.boards.html`);
      return "all boards,";
    });
  }

  private rewrite() {
    this.with("rewriting", async (model) => {
      if (this.boards.length === 0) throw new Error("Choose a board.");
      const output = model.replace(/(\.onnx)?$/, `.${this.boards[0]}.onnx`);
      const answer = await this.run(["rewrite", model, "--target", this.boards[0], "--output", output], "text/plain");
      const file = answer.files.find(([name]) => name === output);
      notes.textContent += await answer.stdout.text();
      notes.hidden = false;
      if (file === undefined) return "nothing to change,";
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file[1]);
      link.download = output;
      link.click();
      return `saved as ${output},`;
    });
  }
}

Object.assign(globalThis, { hwestPage: new Page() });
