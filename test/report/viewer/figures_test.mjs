// Every number of a page against the other faces of the same command: the text report, line by line, and the JSON
// document. The models have what makes faces disagree: nodes that nothing reads, an operator without a time, tokens,
// two precisions.
//
//   HWEST_PROGRAM=build/onnx-hwest node --test test/report/viewer/figures_test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { assertSays, close, details, open, program, report, root, run, saysShare, scratch, search,
  tab, ungrouped } from "./browser.mjs";

run("python3", join(root, "test/report/viewer/page_models.py"), scratch);
const own = (name) => join(scratch, `${name}.onnx`);
const example = (name) => join(root, "examples/models", `${name}.onnx`);
const kCases = [
  ["nodes that nothing reads, on an NPU", own("dead"), "--target", "tda4vm"],
  ["nodes that nothing reads, on a GPU", own("dead"), "--target", "jetson-orin"],
  ["a node without a time, on an NPU", own("unknown"), "--target", "tda4vm"],
  ["a node without a time, on a CPU", own("unknown"), "--target", "x86-avx512"],
  ["a node without a time, in a pipeline", own("unknown"), "--target", "hailo-8"],
  ["tokens on an NPU", own("tokens"), "--target", "rk3588", "--context", "16,256"],
  ["tokens on a GPU", own("tokens"), "--target", "rtx-4090", "--context", "64"],
  ["two precisions on a GPU", own("mixed"), "--target", "jetson-orin"],
  ["two precisions on an NPU", own("mixed"), "--target", "sa8295p"],
  ["images in a pipeline", example("resnet18"), "--target", "hailo-8", "--batch", "2"],
  ["units that take turns", example("gated_mix"), "--target", "tda4vm"],
];

// Of a group; null where a part of it is.
function movedBytes({ in_bytes, weight_bytes, out_bytes }) {
  return [in_bytes, weight_bytes, out_bytes].includes(null) ? null : in_bytes + weight_bytes + out_bytes;
}

const plain = (text) => text.replace(/\s+/g, " ").trim();

// A row of a table as a list of texts.
const cellsOf = (table) => table.evaluate((element) =>
  [...element.querySelectorAll("tbody tr:not(.gap)")].map((row) => [...row.cells].map((cell) => cell.innerText)));

function assertShare(text, part, whole, what) {
  if (!(whole > 0)) assert.equal(text, "-", what);
  else assert.ok(saysShare(text, part / whole), `${what}: the page says "${text}", it is ${part / whole}`);
}
// A figure that is "unknown" or "-" where the document has null, and "at least" something where it is a part.
function assertKnown(text, figure, what) {
  if (figure === null && /^(at least|≥) /.test(text)) return;
  assertSays(text.replace(/ per batch of \d+$| tokens\/s$|\/s$/, ""), figure, what);
}

for (const [title, ...args] of kCases) {
  describe(title, () => {
    let page, document, text;
    before(async () => {
      const made = report(title.replace(/\W+/g, "-"), ...args, "--what-if");
      document = made.document;
      text = run(program, ...args, "--what-if");
      page = await open(made.url);
    });

    test("the cards say what the text report says", async () => {
      const head = plain(text.slice(0, text.indexOf("\nTime by bound")));
      const cards = await page.locator(".fact").evaluateAll((all) => all.map((card) => ({
        name: card.querySelector(".what").textContent, figure: card.querySelector(".value").textContent,
        rest: [...card.querySelectorAll(".below")].map((line) => line.textContent),
        parts: [...card.querySelectorAll(".rests")].map((line) => line.textContent),
      })));
      const lines = cards.filter(({ name }) => !["Falls back", "Would help"].includes(name));
      for (const { name, figure, rest, parts } of lines) {
        const line = plain([name, ungrouped(figure), ...rest].join(" "));
        assert.ok(head.includes(line), `"${line}" is not in the text report:\n${text.slice(0, 2000)}`);
        for (const part of parts) assert.ok(head.includes(plain(part.replace(/^: |: /, " "))),
                                            `"${part}" is not in the text report`);
      }
      const named = [...text.slice(0, text.indexOf("\nTime by bound"))
                     .matchAll(/^ {2}([A-Z][a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, name]) => name);
      assert.deepEqual(lines.map(({ name }) => name), named);
      const idle = await page.locator(".idle").allInnerTexts();
      for (const line of idle) assert.ok(head.includes(plain(line)));
      assert.equal(idle.length, head.includes("Nothing runs on") ? 1 : 0);
    });

    test("so do what falls back and what would help", async () => {
      const fact = (name) => page.locator(".fact").filter({ has: page.locator(".what", { hasText: name }) })
        .locator(".value").textContent();
      const all = plain(text);
      const hasFallback = /^(Not on an accelerator|Not placed)$/m.test(text);
      assert.equal((await fact("Falls back")) === "nothing", !hasFallback);
      if (hasFallback) {
        const cpus = new Set(document.units.filter((unit) => unit.is_cpu).map((unit) => unit.name));
        const fallen = document.groups.filter((group) => group.unit === null || cpus.has(group.unit));
        const known = fallen.reduce((sum, group) => sum + (group.time_s ?? 0), 0);
        const figure = (await fact("Falls back")).replace(/^at least /, "");
        assertSays(figure, known > 0 ? known : null, "time that falls back");
        assert.equal((await fact("Falls back")).startsWith("at least "),
                     known > 0 && fallen.some((group) => group.time_s === null));
      }
      const helps = document.what_if.filter((row) => row.saving_s > 0);
      assert.equal(/^−/.test(await fact("Would help")), helps.length > 0);
      if (helps.length === 0) return;
      const rows = await cellsOf(page.getByRole("table", { name: /^What would help/ }));
      assert.equal(rows.length, Math.min(10, helps.length));
      rows.forEach(([change, saves, between, share, latency, rate, energy, risk, leaves, work, how], i) => {
        assert.equal(change, helps[i].change);
        assertSays(saves, helps[i].saving_s, "saving");
        assertShare(share, helps[i].saving_s, document.summary.latency_s, "share of a saving");
        assert.ok(between.includes(" to ") && leaves !== "");
        assert.equal(risk, helps[i].risk);
        assert.equal(work, helps[i].work);
        assertKnown(latency, helps[i].latency_s, "latency after a change");
        assertKnown(rate, helps[i].throughput_per_s, "rate after a change");
        assertKnown(energy, helps[i].energy_j, "energy after a change");
        assert.equal(latency.includes("per batch of"), helps[i].kind === "batch");
        // Words of a column stand in several lines of text.
        for (const word of how.split(" ")) assert.ok(all.includes(word), `"${how}" is not in the text report`);
        assert.equal(how, helps[i].how);
      });
    });

    test("settings, coverage and notes are those of the text report", async () => {
      const all = plain(text);
      const settings = await page.getByRole("region", { name: "Settings" }).evaluate((region) =>
        Object.fromEntries([...region.querySelectorAll("dt")].map((term) => [term.textContent,
                                                                             term.nextElementSibling.textContent])));
      assert.ok(all.includes(`precision ${plain(settings["Precision"])}`), settings["Precision"]);
      for (const line of settings["Coverage"].split(/; (?=costed|origin|unknown nodes|data)/)) {
        assert.ok(all.includes(plain(line)), line);
      }
      assert.equal(settings["Nodes"], String(document.model.nodes));
      for (const note of await page.getByRole("region", { name: "Notes" }).locator("li").allInnerTexts()) {
        const message = plain(note.replace(/^(note|warning|error|info): /, ""));
        const said = document.diagnostics.some((row) => message.startsWith(plain(row.message)));
        assert.ok(said || all.includes(message), `"${note}" is in neither`);
      }
    });

    test("tables of the summary are the document's", async () => {
      const { bounds, units, summary, generation } = document;
      const rows = await cellsOf(page.getByRole("table", { name: /^Time by bound/ }));
      assert.equal(rows.length, bounds.length);
      rows.forEach(([name, share, time, kernels, groups, flop, flops, moved, bytes, intensity], i) => {
        const bound = bounds[i];
        assert.equal(name, bound.class);
        assertShare(share, bound.time_s, summary.latency_s, "share of a bound");
        assertSays(time, bound.time_s, "time of a bound");
        assert.equal(kernels, String(bound.groups));
        assertSays(flop, bound.flops, "FLOP of a bound");
        assertSays(moved, bound.bytes, "bytes of a bound");
        for (const [said, part] of [[groups, bound.groups_share], [flops, bound.flops_share],
                                    [bytes, bound.bytes_share]]) {
          if (part === null) assert.ok(said === "-" || said === "unknown");
          else assertShare(said, part, 1, "share of a bound");
        }
        assertSays(intensity, bound.intensity, "intensity of a bound");
      });
      const shown = units.filter((unit) => unit.is_placeable || unit.groups > 0);
      const lanes = await cellsOf(page.getByRole("table", { name: /^Units/ }));
      assert.equal(lanes.length, shown.length);
      lanes.forEach(([name, share, busy, kernels, macs, energy], i) => {
        assert.equal(name, shown[i].name);
        assertKnown(busy, shown[i].busy_s, "busy time");
        if (shown[i].busy_s !== null) assertShare(share, shown[i].busy_s, summary.latency_s, "share of a unit");
        assert.equal(kernels, String(shown[i].groups));
        assertSays(macs, shown[i].macs, "MACs of a unit");
        assertSays(energy, shown[i].energy_j, "energy of a unit");
      });
      if (generation === null) return;
      const contexts = await cellsOf(page.getByRole("table", { name: "By length of the context" }));
      assert.equal(contexts.length, generation.length);
      contexts.forEach((row, i) => {
        const of = generation[i];
        const figures = [of.context, of.ttft_s, [of.ttft_low_s, of.ttft_high_s], of.ttft_energy_j, of.tokens_per_s,
                         [of.tokens_low_per_s, of.tokens_high_per_s], of.token_energy_j, of.cache_bytes,
                         of.peak_memory_bytes];
        figures.forEach((figure, column) => {
          if (!Array.isArray(figure)) assertSays(row[column], figure, `column ${column}`);
          else row[column].split(" to ").forEach((end, j) => assertSays(end, figure[j], `column ${column}`));
        });
      });
    });

    test("every table is the document's", async () => {
      const { summary } = document;
      const share = (row) => (text) => (row.time_s === null ? assert.equal(text, "-")
                                        : assertShare(text, row.time_s, summary.latency_s, "share"));
      const kinds = {
        Groups: [document.groups, (group) => ({ Time: group.time_s, Share: share(group), MACs: group.macs,
          FLOP: group.flops,
          Moved: movedBytes(group), "FLOP/B": group.intensity, Energy: group.energy_j, Low: group.low_s,
          High: group.high_s,
          Precision: group.precision ?? "", Unit: group.unit ?? "", Bound: group.bound ?? "" })],
        Nodes: [document.nodes, (node) => ({ MACs: node.macs, FLOP: node.flops, Params: node.params,
          "In, in file": node.in_bytes,
          "Weights, in file": node.weight_bytes, "Out, in file": node.out_bytes, Class: node.class,
          Unit: node.unit ?? "" })],
        Segments: [document.segments, (segment) => ({ Time: segment.time_s, Invoke: segment.invoke_s,
          Transfer: segment.transfer_s,
          In: segment.in_bytes, Out: segment.out_bytes, Energy: segment.energy_j })],
        Modules: [document.modules, (module) => ({ Nodes: module.nodes, Time: module.time_s, Share: share(module),
          MACs: module.macs,
          FLOP: module.flops, Params: module.params, Energy: module.energy_j })],
      };
      await tab(page, "Table");
      for (const [kind, [rows, figuresOf]] of Object.entries(kinds)) {
        await page.getByLabel("Rows of the table").selectOption(kind);
        const table = page.getByRole("table", { name: kind });
        assert.equal(await table.getAttribute("aria-rowcount"), String(rows.length + 1));
        const heads = await table.locator("thead th")
          .evaluateAll((all) => all.map((head) => head.innerText.replace(/[ ▲▼]+$/, "")));
        const first = heads[0];
        for (const cells of await cellsOf(table)) {
          const row = Object.fromEntries(heads.map((head, i) => [head, cells[i]]));
          const key = row[first].replace(/^[g#]/, "");
          const of = kind === "Modules"
            ? rows.find((one) => one.path === (key === "(whole model)" ? "" : key)) : rows[Number(key)];
          for (const [head, figure] of Object.entries(figuresOf(of))) {
            if (typeof figure === "function") figure(row[head]);
            else if (typeof figure === "string") assert.equal(row[head], figure, `${head} of ${kind} ${key}`);
            else assertSays(row[head], figure, `${head} of ${kind} ${key}`);
          }
        }
      }
      await tab(page, "Summary");
    });

    test("Details have the figures of the node, as in the file, and of its kernel, as it runs", async () => {
      for (const node of document.nodes.slice(0, 24)) {
        await search(page, node.label);
        const [said, kernel] = await details(page).evaluate((region) => [...region.querySelectorAll("dl")].map((list) =>
          Object.fromEntries([...list.querySelectorAll("dt")].map((term) => [term.textContent,
                                                                             term.nextElementSibling.textContent]))));
        for (const [term, key] of [["MACs", "macs"], ["FLOP", "flops"], ["Reads, as in the file", "in_bytes"],
                                   ["Weights, as in the file", "weight_bytes"],
                                   ["Writes, as in the file", "out_bytes"]]) {
          assertSays(said[term], node[key], `${term} of ${node.label}`);
        }
        if (node.group === null) continue;
        const group = document.groups[node.group];
        const [time, share] = kernel["Time"].split(" (");
        assertSays(time, group.time_s, `time of ${node.label}`);
        if (group.time_s !== null) assertShare(share.replace(")", ""), group.time_s, document.summary.latency_s,
                                               "share of a kernel");
        for (const [term, figure] of [["Moved, as it runs", movedBytes(group)],
                                      ["of it DRAM", group.dram_bytes], ["Live, as it runs", group.live_bytes],
                                      ["Energy", group.energy_j],
                                      ["Intensity", group.intensity]]) {
          assertSays(kernel[term], figure, `${term} of ${node.label}`);
        }
        assert.equal(kernel["Precision"], group.precision ?? "unknown");
      }
    });

    const drawn = async (name) => {
      await tab(page, name);
      const [saved] = await Promise.all([page.waitForEvent("download"),
                                         page.getByRole("button", { name: "SVG", exact: true }).click()]);
      const svg = readFileSync(await saved.path(), "utf8");
      return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words);
    };

    test("pictures say what the document says", async () => {
      await page.keyboard.press("Escape");
      const { summary, model, units, groups } = document;
      const memory = await drawn("Memory");
      const after = (words, start) => words.find((one) => one.startsWith(start))?.slice(start.length);
      assertSays(after(memory, "peak ").replace(/^at least /, ""), summary.peak_memory_bytes, "peak");
      assert.ok(plain(text).includes(`Peak memory ${after(memory, "peak ")}`));
      assertSays(after(memory, "weights "), model.deployed_bytes, "weights");
      const most = Math.max(...groups.map((group) => group.live_bytes ?? 0));
      const gaps = summary.peak_memory_bytes - model.deployed_bytes - most; // between aligned addresses
      assert.ok(gaps >= 0 && gaps <= 0.02 * summary.peak_memory_bytes, `the curve ends at the peak, ${gaps} bytes off`);
      const timeline = await drawn("Timeline");
      for (const unit of units.filter((one) => one.groups > 0)) {
        const own = timeline[timeline.indexOf(unit.name) + 1] ?? "";
        if (own.endsWith(" busy")) assertKnown(own.replace(/ busy$/, ""), unit.busy_s, `busy time of ${unit.name}`);
      }
    });

    test("the tree has the shares of the modules", async () => {
      const tree = page.getByRole("tree", { name: "Modules" });
      for (const module of document.modules.filter(({ path }) => path !== "" && !path.includes("/"))) {
        const item = tree.locator(":scope > li > ul > li > .item")
          .filter({ has: page.getByText(module.path, { exact: true }) });
        const figure = await item.locator(".figure").first().innerText();
        if (module.time_s !== null) assertShare(figure, module.time_s, document.summary.latency_s,
                                                `share of ${module.path}`);
      }
      assert.deepEqual(page.problems, []);
    });
  });
}

describe("colours and filters reach what is closed", () => {
  let page, document;
  before(async () => {
    const made = report("closed", own("dead"), "--target", "jetson-orin");
    document = made.document;
    page = await open(made.url);
    await tab(page, "Graph");
    await page.getByRole("button", { name: "Close all" }).click();
  });
  after(() => page.close());

  const fills = async () => {
    const [saved] = await Promise.all([page.waitForEvent("download"),
                                       page.getByRole("button", { name: "SVG", exact: true }).click()]);
    const svg = readFileSync(await saved.path(), "utf8");
    const items = {};
    // The box of a name is the last one before it that is as large as a box.
    for (const part of svg.split("<text").slice(1).map((_, i, parts) => [svg.split("<text")[i], parts[i]])) {
      const label = /[^>]*>▸ ([^<]*)</.exec(part[1])?.[1];
      if (label === undefined) continue;
      const rect = [...part[0].matchAll(/<rect [^>]*height="([\d.]+)" fill="([^"]+)" stroke/g)].pop();
      items[label] = rect[2];
    }
    return items;
  };
  const swatches = () => page.getByRole("tree", { name: "Modules" }).locator(":scope > li > ul > li")
    .evaluateAll((items) =>
    Object.fromEntries(items.map((item) => [item.querySelector(".label").innerText,
      { fill: item.querySelector(".swatch").style.background, isDim: item.classList.contains("dim") }])));

  test("a closed module has the colour of its kernels, by kind and by figure", async () => {
    const seen = new Set();
    for (const key of ["bound", "unit", "time", "energy", "macs", "moved"]) {
      await page.getByLabel("Colour by").selectOption(key);
      const graph = await fills(), tree = await swatches();
      assert.ok("body" in graph && "head" in graph, JSON.stringify(graph));
      assert.notEqual(tree.body.fill, "none", key);
      seen.add(`${graph.body} ${graph.head}`).add(`${tree.body.fill} ${tree.head.fill}`);
    }
    assert.ok(seen.size > 4, "colours follow the choice");
    await page.getByLabel("Colour by").selectOption("bound");
  });

  test("a module of which nothing passes is dim, whether open or closed", async () => {
    const before = await fills();
    await page.getByLabel("Filter by text").fill("/head/");
    await page.waitForFunction(() => document.querySelector(".filters .status").textContent !== "");
    const after = await fills(), tree = await swatches();
    assert.notEqual(after.body, before.body, "the graph");
    assert.equal(after.head, before.head, "the graph");
    assert.equal(tree.body.isDim, true);
    assert.equal(tree.head.isDim, false);
    await page.getByRole("button", { name: "Clear" }).click();
    assert.deepEqual(await fills(), before);
    assert.equal((await swatches()).body.isDim, false);
    assert.ok(document.nodes.some((node) => node.class === "dead"), "the test wants nodes that nothing reads");
  });
});

test("of what passes a filter and has no time in part, the rest is a least time", async () => {
  const made = report("filtered", own("unknown"), "--target", "tda4vm");
  const page = await open(made.url);
  await page.getByLabel("Filter by text").fill("/body/");
  await page.waitForFunction(() => document.querySelector(".filters .status").textContent !== "");
  const [, time] = /, (at least [^,]+),/.exec(await page.locator(".filters .status").textContent());
  const known = made.document.groups.filter((group) => group.name.startsWith("/body/") && group.time_s !== null);
  assertSays(time.replace("at least ", ""), known.reduce((sum, group) => sum + group.time_s, 0), "time of what passes");
  await page.close();
});

after(close);
