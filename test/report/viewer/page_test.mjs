// HTML reports in a real browser: every figure is the document's, every node is found, nothing is loaded, names are
// text, keys suffice, axe-core finds nothing.
//
//   HWEST_PROGRAM=build/onnx-hwest node --test test/report/viewer/page_test.mjs
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  assertSays, axeSource, close, details, heading, open, report, root, run, saysShare, scratch, search, tab,
} from "./browser.mjs";

const kTabs = ["Summary", "Graph", "Timeline", "Memory", "Roofline", "Table"];
const model = (name) => join(root, "test/models", `${name}.ts.onnx`);

let net, page;
before(async () => {
  net = report("mobilenet", model("mobilenet_v2"), "--target", "tda4vm", "--deny", "Clip@c7x-mma");
  page = await open(net.url);
});
after(close);

// A row of a table by the heads of its columns.
const rowsOf = (table) => table.evaluate((element) => {
  const heads = [...element.querySelectorAll("thead th")].map((head) => head.innerText.replace(/[ ▲▼]+$/, ""));
  return [...element.querySelectorAll("tbody tr:not(.gap)")].map((row) =>
    Object.fromEntries([...row.cells].map((cell, i) => [heads[i], cell.innerText])));
});

// Panes hear of a selection by messages.
const assertBecomes = async (read, want) => {
  for (let i = 0; i < 100 && (await read()) !== want; ++i) await new Promise((done) => setTimeout(done, 50));
  assert.equal(await read(), want);
};

describe("a measured profile", () => {
  test("stands in the summary, the table, Details and the colours; without one there is no word of it", async () => {
    const profile = join(scratch, "profile.json");
    const [a, b] = [...net.document.groups].sort((x, y) => y.time_s - x.time_s);
    writeFileSync(profile, JSON.stringify([{ count: 4 }, { name: a.name, timeMs: a.time_s * 1e3 * 4 * 3 },
      { name: b.name, timeMs: b.time_s * 1e3 * 4 / 4 }, { name: "a copy", timeMs: 0.004 }]));
    const args = [model("mobilenet_v2"), "--target", "tda4vm", "--deny", "Clip@c7x-mma", "--measured-profile", profile];
    const measured = report("measured", ...args);
    const own = await open(measured.url);
    const totals = await rowsOf(own.getByRole("table", { name: "Measured by trtexec" }));
    for (const [row, key] of [[0, "matched_s"], [1, "no_kernel_s"], [2, "unmatched_s"]]) {
      assertSays(totals[row]["Time"], measured.document.measured[key], key);
    }
    assert.match(totals[0]["What"], new RegExp(`^2 of ${net.document.groups.length}, predicted`));
    const furthest = await rowsOf(own.getByRole("table", { name: "Furthest from what was measured" }));
    assert.deepEqual(furthest.map((row) => row["Ratio"]), ["3", "0.25"]);
    await own.getByRole("combobox", { name: "Colour by" }).selectOption("measured");
    assert.match(await own.locator("header + *").innerText(), /2 times and more/);
    await tab(own, "Table");
    const rows = await rowsOf(own.getByRole("table", { name: "Groups" }));
    const row = rows.find((one) => one["Id"] === `g${a.id}`);
    assertSays(row["Measured"], measured.document.groups[a.id].measured_s, "measured");
    assertSays(row["Ratio"], 3, "ratio");
    assert.equal(rows.filter((one) => one["Measured"] !== "-").length, 2);
    await search(own, a.name);
    assert.match(await details(own).innerText(), /3 times what is predicted/);
    assert.deepEqual(own.problems, []);
    await own.close();
    await tab(page, "Summary");
    assert.doesNotMatch(await page.locator("main").innerText(), /measured by/i);
    assert.equal(await page.locator("option[value=measured]").count(), 0);
  });
});

describe("what the page says", () => {
  test("nothing is loaded, nothing goes wrong", () => {
    assert.deepEqual(page.requests, [net.url]);
    assert.deepEqual(page.problems, []);
  });

  test("the same command, the same bytes", () => {
    const again = report("again", model("mobilenet_v2"), "--target", "tda4vm", "--deny", "Clip@c7x-mma");
    assert.equal(readFileSync(again.path, "utf8"), readFileSync(net.path, "utf8"));
  });

  test("the policy lets nothing in", async () => {
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.match(policy, new RegExp("^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; " +
      "img-src data: blob:; base-uri 'none'; form-action 'none'$"));
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = 1";
      document.body.append(script);
      script.remove();
      return window.ran;
    });
    assert.equal(ran, undefined);
    page.problems.length = 0;
  });

  test("the first view is the answer", async () => {
    const { summary, bounds } = net.document;
    const facts = Object.fromEntries(await page.locator(".fact").evaluateAll((all) => all.map((fact) =>
      [fact.querySelector(".what").innerText, [fact.querySelector(".value").innerText,
          ...[...fact.querySelectorAll(".below")].map((line) => line.innerText)]])));
    assertSays(facts["Latency"][0], summary.latency_s, "latency");
    const [low, high] = facts["Latency"][1].split(" to ");
    assertSays(low, summary.latency_low_s, "low end");
    assertSays(high, summary.latency_high_s, "high end");
    assertSays(facts["Throughput"][0].replace(" FPS", ""), summary.throughput_per_s, "throughput");
    assertSays(facts["Throughput"][1].replace("a result every ", ""), summary.interval_s, "interval");
    assertSays(facts["Energy"][0], summary.energy_j, "energy");
    assert.equal(facts["Energy"][2], `${Number(summary.power_w.toPrecision(3))} W on average of ${summary.power_of}`,
                 "power");
    assertSays(facts["Peak memory"][0], summary.peak_memory_bytes, "peak memory");
    assertSays(facts["Work"][0].replace("MACs", ""), summary.macs, "MACs");
    const most = bounds.reduce((best, bound) => (bound.time_s > best.time_s ? bound : best));
    assert.equal(facts["Bound"][0], most.class);
    const fallen = net.document.groups.filter((group) => group.unit === "cpu");
    assert.ok(fallen.length > 0, "the test wants something that falls back");
    assertSays(facts["Falls back"][0], fallen.reduce((sum, group) => sum + group.time_s, 0), "time that falls back");
    assert.match(facts["Falls back"][2], /denied|--deny|not|c7x/);
    assert.match(facts["Would help"][0], /^−[\d.]+ %$/);
  });

  test("tables of the summary are the document's", async () => {
    const { bounds, summary } = net.document;
    const units = net.document.units.filter((unit) => unit.is_placeable || unit.groups > 0);
    const shown = await rowsOf(page.getByRole("table", { name: "Time by bound" }));
    assert.equal(shown.length, bounds.length);
    shown.forEach((row, i) => {
      assert.equal(row["Bound"], bounds[i].class);
      assertSays(row["Time"], bounds[i].time_s, "time of a bound");
      assertSays(row["FLOP"], bounds[i].flops, "FLOP of a bound");
      assertSays(row["Moved"], bounds[i].bytes, "bytes of a bound");
      assert.ok(saysShare(row["Share"], bounds[i].time_s / summary.latency_s), `share ${row["Share"]}`);
    });
    const lanes = await rowsOf(page.getByRole("table", { name: "Units", exact: true }));
    assert.equal(lanes.length, units.length);
    lanes.forEach((row, i) => {
      assert.equal(row["Unit"], units[i].name);
      assertSays(row["Busy"], units[i].busy_s, "busy");
      assertSays(row["Energy"], units[i].energy_j, "energy of a unit");
    });
  });

  test("every row of the table Groups is the document's", async () => {
    await tab(page, "Table");
    const table = page.getByRole("table", { name: "Groups" });
    const rows = new Map();
    for (let top = 0; ; top += 400) {
      for (const row of await rowsOf(table)) rows.set(row["Id"], row);
      const end = await page.locator(".scroller").evaluate((scroller, to) => {
        scroller.scrollTop = to;
        return scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight;
      }, top);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      for (const row of await rowsOf(table)) rows.set(row["Id"], row);
      if (end) break;
    }
    assert.equal(rows.size, net.document.groups.length);
    for (const group of net.document.groups) {
      const row = rows.get(`g${group.id}`);
      assert.equal(row["Node"], group.name);
      assert.equal(row["Kernel"], group.pattern);
      assert.equal(row["Unit"], group.unit);
      assert.equal(row["Bound"], group.bound);
      assert.equal(row["Precision"], group.precision);
      const moved = group.in_bytes + group.weight_bytes + group.out_bytes;
      for (const [head, figure] of [["Time", group.time_s], ["MACs", group.macs], ["FLOP", group.flops],
                                    ["Moved", moved],
                                    ["Energy", group.energy_j], ["Low", group.low_s], ["High", group.high_s],
                                    ["FLOP/B", group.intensity]]) {
        assertSays(row[head], figure, `${head} of g${group.id}`);
      }
    }
  });

  test("Details has the figures of the node and its kernel", async () => {
    for (const group of net.document.groups.slice(0, 12)) {
      const node = net.document.nodes[group.nodes[0]];
      await page.goto(`${net.url}#node=${encodeURIComponent(node.label)}`);
      await page.waitForFunction((label) => document.querySelector(".details h2").textContent === label, node.label);
      const said = await details(page).evaluate((region) => {
        const [own, kernel] = [...region.querySelectorAll("dl")].map((list) =>
          Object.fromEntries([...list.querySelectorAll("dt")].map((term) => [term.textContent,
                                                                             term.nextElementSibling.textContent])));
        return { own, kernel };
      });
      assertSays(said.own["MACs"], node.macs, "MACs of a node");
      assertSays(said.own["Reads, as in the file"], node.in_bytes, "bytes read");
      assertSays(said.kernel["Time"].split(" (")[0], group.time_s, "time of a kernel");
      const [start, end] = said.kernel["Runs"].split(" to ");
      assertSays(start, group.start_s, "start");
      assertSays(end, group.end_s, "end");
      assert.equal(said.kernel["Bound"], group.bound);
    }
  });
});

describe("every node is found", () => {
  test("by search, on every tab", async () => {
    for (const [i, node] of net.document.nodes.entries()) {
      if (i % 20 === 0) await tab(page, kTabs[(i / 20) % kTabs.length]);
      await search(page, node.label);
      assert.equal(await heading(page), node.label);
    }
    await search(page, "#7");
    assert.equal(await heading(page), net.document.nodes[7].label);
  });

  test("by the tree", async () => {
    const own = await open(net.url);
    const tree = own.getByRole("tree", { name: "Modules" });
    for (let closed = tree.locator("[aria-expanded=false]"); (await closed.count()) > 0;) {
      await closed.first().press("ArrowRight");
    }
    const leaves = tree.locator("[role=treeitem]:not([aria-expanded])");
    assert.equal(await leaves.count(), net.document.nodes.length);
    const found = new Set();
    for (const leaf of await leaves.all()) {
      await leaf.press("Enter");
      found.add(await heading(own));
    }
    assert.deepEqual([...found].sort(), [...new Set(net.document.nodes.map((node) => node.label))].sort());
    await own.close();
  });

  test("searchbox, tabs and tree are on every tab", async () => {
    for (const name of kTabs) {
      await tab(page, name);
      await page.getByRole("searchbox", { name: "Search" }).waitFor({ state: "visible" });
      await page.getByRole("tree", { name: "Modules" }).waitFor({ state: "visible" });
      await details(page).waitFor({ state: "visible" });
      for (const other of kTabs) await page.getByRole("tab", { name: other, exact: true })
        .waitFor({ state: "visible" });
    }
  });
});

describe("one state", () => {
  const status = () => page.locator(".filters .status").textContent();
  const totals = (groups) => ({ count: groups.length, time: groups.reduce((sum, group) => sum + group.time_s, 0) });
  async function assertFiltered(wanted) {
    const [, count, , time] = /^(\S+) of (\S+) kernels, .* nodes, ([^,]+),/.exec(await status());
    assert.equal(Number(count), totals(wanted).count);
    assertSays(time, totals(wanted).time, "time of what passes");
    await tab(page, "Table");
    assert.equal(await page.getByRole("table", { name: "Groups" }).getAttribute("aria-rowcount"),
                 String(wanted.length + 1));
  }

  test("filters by unit, bound, operator, text and module", async () => {
    const { groups, nodes } = net.document;
    const cases = [
      ["Filter by unit", "cpu", (group) => group.unit === "cpu"],
      ["Filter by bound", groups[0].bound, (group) => group.bound === groups[0].bound],
      ["Filter by operator", "Add", (group) => group.nodes.some((id) => nodes[id].op === "Add")],
    ];
    for (const [label, value, passes] of cases) {
      await page.getByLabel(label).selectOption(value);
      await assertFiltered(groups.filter(passes));
      await page.getByRole("button", { name: "Clear" }).click();
    }
    await page.getByLabel("Filter by text").fill("classifier");
    await page.waitForFunction(() => document.querySelector(".filters .status").textContent !== "");
    await assertFiltered(groups.filter((group) => group.pattern.includes("classifier") || group.nodes.some((id) =>
      [nodes[id].label, nodes[id].op, nodes[id].module ?? ""].some((text) => text.toLowerCase()
                                                                   .includes("classifier")))));
    await page.getByRole("button", { name: "Clear" }).click();
    const { path } = net.document.modules.find((module) => module.path !== "" && module.nodes > 3);
    await page.goto(`${net.url}#inside=${encodeURIComponent(path)}`);
    await assertFiltered(groups.filter((group) => group.nodes.some((id) => `${nodes[id].module}/`.startsWith(`${path}/`))));
    await page.getByRole("button", { name: "Clear" }).click();
  });

  test("n and p go through the most expensive kernels", async () => {
    const costliest = [...net.document.groups].sort((a, b) => b.time_s - a.time_s || a.id - b.id);
    await page.keyboard.press("Escape");
    await page.locator("body").click({ position: { x: 700, y: 12 } });
    await page.keyboard.press("Escape");
    for (const group of costliest.slice(0, 5)) {
      await page.keyboard.press("n");
      assert.equal(await heading(page), group.name);
    }
    await page.keyboard.press("p");
    assert.equal(await heading(page), costliest[3].name);
  });

  test("a link shows the same again", async () => {
    await tab(page, "Timeline");
    await page.getByLabel("Colour by").selectOption("energy");
    await search(page, net.document.nodes[20].label);
    const again = await open(page.url());
    assert.equal(await heading(again), net.document.nodes[20].label);
    assert.equal(await again.getByRole("tab", { selected: true }).textContent(), "Timeline");
    assert.equal(await again.getByLabel("Colour by").inputValue(), "energy");
    await again.close();
    await page.getByLabel("Colour by").selectOption("bound");
  });

  test("every view draws by every colour", async () => {
    const keys = await page.getByLabel("Colour by").locator("option")
      .evaluateAll((all) => all.map((option) => option.value));
    assert.ok(keys.length >= 8);
    for (const key of keys) {
      await page.getByLabel("Colour by").selectOption(key);
      for (const name of kTabs) await tab(page, name);
    }
    await page.getByLabel("Colour by").selectOption("bound");
    assert.deepEqual(page.problems, []);
  });

  test("pictures are saved as SVG and PNG", async () => {
    for (const name of kTabs.slice(0, 5)) {
      await tab(page, name);
      for (const [kind, start] of [["SVG", "<svg xmlns"], ["PNG", "\u2030PNG"]]) {
        const [saved] = await Promise.all([page.waitForEvent("download"),
                                           page.getByRole("button", { name: kind, exact: true }).click()]);
        const bytes = readFileSync(await saved.path());
        assert.equal(bytes.subarray(0, start.length).toString(kind === "SVG" ? "utf8" : "latin1")
                     .replace("\x89", "\u2030"), start);
        assert.ok(bytes.length > 1500, `${name} as ${kind} has ${bytes.length} bytes`);
      }
    }
  });

  test("the graph tells what needs no kernel from what runs", async () => {
    const own = await open(`${net.url}#tab=Graph`);
    const drawn = async () => {
      const [saved] = await Promise.all([own.waitForEvent("download"),
                                         own.getByRole("button", { name: "SVG", exact: true }).click()]);
      return readFileSync(await saved.path(), "utf8");
    };
    await own.getByRole("button", { name: "Open all" }).click();
    assert.doesNotMatch(await drawn(), /no kernel|stroke-dasharray/);
    await own.getByLabel("views and shapes (dashed: no kernel needed)").check();
    await own.getByRole("button", { name: "Open all" }).click();
    const svg = await drawn();
    const free = net.document.nodes.filter((node) => node.group === null && node.class === "view");
    assert.ok(free.length > 0);
    assert.equal(svg.match(/stroke-dasharray/g)?.length, free.length);
    await own.close();
  });

  test("pointer and keys open a module in the graph", async () => {
    const own = await open(`${net.url}#tab=Graph`);
    const boxes = async () => Number(/^(\d+) boxes/.exec(await own.locator(".note").first().textContent())[1]);
    const first = await boxes();
    await own.getByRole("button", { name: "Open all" }).click();
    // What is too small to read unfolds as it is zoomed in.
    for (let i = 0; i < 12 && (await boxes()) <= first; ++i) {
      await own.locator("#panel-Graph").getByRole("button", { name: "Zoom in" }).click();
      await own.waitForTimeout(50);
    }
    assert.ok(await boxes() > first);
    await own.getByRole("button", { name: "Close all" }).click();
    await own.waitForFunction((many) => parseInt(document.querySelector(".note").textContent) <= many, first);
    const closed = await boxes();
    const canvas = own.getByRole("img", { name: /^Graph/ });
    await own.goto(`${net.url}#tab=Graph&module=features`);
    await canvas.press("Enter");
    await own.waitForFunction((few) => parseInt(document.querySelector(".note").textContent) !== few, closed);
    assert.deepEqual(own.problems, []);
    await own.close();
  });
});

describe("names are text", () => {
  let hostile, names, own;
  before(async () => {
    const path = join(scratch, "hostile.onnx");
    run("python3", join(root, "test/report/viewer/hostile_model.py"), path, join(scratch, "names.json"));
    names = JSON.parse(readFileSync(join(scratch, "names.json"), "utf8"));
    hostile = report("hostile", path, "--target", "jetson-orin");
    own = await open(hostile.url);
  });

  test("none runs, each is found by search and link", async () => {
    for (const wanted of names) {
      const label = hostile.document.nodes.find((node) => node.name === wanted)?.label ?? assert.fail(`no node ${wanted}`);
      const at = hostile.document.nodes.findIndex((node) => node.label === label);
      for (const way of ["search", "link"]) {
        if (way === "search") await search(own, wanted);
        else await own.goto(`${hostile.url}#node=${encodeURIComponent(wanted)}`);
        await own.waitForFunction((id) => document.querySelector(".details dl dd:nth-of-type(2)").textContent === id,
                                  `#${at}`, { timeout: 3000 })
          .catch(() => assert.fail(`${way} does not find ${JSON.stringify(wanted.slice(0, 60))}`));
      }
      const said = await heading(own);
      assert.ok(said.length <= 420 || !said.includes("\u202e"));
      assert.ok(said.startsWith(wanted.slice(0, 3)), `${said} is shown for ${wanted}`);
    }
    assert.equal(await own.evaluate(() => window.ran), undefined);
    assert.equal(await own.evaluate(() =>
      document.querySelectorAll("img, script[src], iframe, object, embed, link").length), 0);
    assert.deepEqual(own.problems, []);
    assert.ok(own.requests.every((url) => url.startsWith("file://")), own.requests.join(" "));
  });

  test("every view shows them", async () => {
    for (const name of kTabs) await tab(own, name);
    assert.equal(await own.evaluate(() => window.ran), undefined);
    assert.deepEqual(own.problems, []);
    await own.close();
  });
});

describe("everybody", () => {
  test("keys alone reach search, tabs, tree, table and pictures", async () => {
    const own = await open(net.url);
    const focused = () => own.evaluate(() => {
      const at = document.activeElement;
      return at.getAttribute("role") ?? at.tagName.toLowerCase();
    });
    await own.keyboard.press("/");
    assert.equal(await own.evaluate(() => document.activeElement.id), "search");
    await own.keyboard.type(net.document.nodes[10].label);
    await own.keyboard.press("Enter");
    assert.equal(await heading(own), net.document.nodes[10].label);
    const seen = new Set();
    for (let i = 0; i < 60; ++i) {
      await own.keyboard.press("Tab");
      seen.add(await focused());
    }
    for (const role of ["treeitem", "tab", "img", "select", "button"]) assert.ok(seen.has(role),
        `Tab never reaches ${role}: ${[...seen]}`);
    await own.getByRole("tab", { selected: true }).focus();
    for (const name of kTabs.slice(1)) {
      await own.keyboard.press("ArrowRight");
      assert.equal(await own.getByRole("tab", { selected: true }).textContent(), name);
    }
    await own.keyboard.press("Tab");
    for (let i = 0; i < 30 && (await focused()) !== "tr"; ++i) await own.keyboard.press("Tab");
    assert.equal(await focused(), "tr");
    await own.keyboard.press("Home");
    const first = await heading(own);
    await own.keyboard.press("ArrowDown");
    assert.notEqual(await heading(own), first);
    assert.equal(await focused(), "tr");
    await own.getByRole("tree").locator("[tabindex='0']").focus();
    await own.keyboard.press("Home");
    await own.keyboard.press("ArrowDown");
    await own.keyboard.press("Enter");
    assert.match(await details(own).textContent(), /Nodes/);
    await tab(own, "Graph");
    const canvas = own.getByRole("img", { name: /^Graph/ });
    await search(own, net.document.groups[3].name);
    const before = await heading(own);
    await canvas.press("ArrowDown");
    assert.notEqual(await heading(own), before);
    assert.deepEqual(own.problems, []);
    await own.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds nothing, ${colorScheme}`, async () => {
      const own = await open(net.url, { colorScheme, bypassCSP: true });
      await own.evaluate(axeSource);
      for (const name of kTabs) {
        await tab(own, name);
        for (const state of ["none", "node", "module", "matches", "filter"]) {
          if (state === "node") await search(own, net.document.groups[5].name);
          if (state === "module") await own.getByRole("treeitem").nth(1).press("Enter");
          if (state === "matches") await own.getByRole("searchbox").fill("conv");
          if (state === "filter") {
            await own.keyboard.press("Escape");
            await own.getByLabel("Filter by unit").selectOption("cpu");
          }
          const { violations } = await own.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map(({ id, nodes }) => [id,
              nodes.slice(0, 2).map((node) => node.html.slice(0, 160) + node.any.map((check) => check.message))]), [],
            `${name}, ${state}`);
        }
        await own.getByRole("button", { name: "Clear" }).click();
      }
      await own.close();
    });
  }

  test("print is light, with the picture and the most expensive kernels", async () => {
    const own = await open(net.url, { colorScheme: "dark" });
    await own.emulateMedia({ media: "print", colorScheme: "dark" });
    await own.waitForSelector(".print svg");
    assert.equal(await own.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.ok((await own.locator(".print table tbody tr").count()) >= Math.min(60, net.document.groups.length));
    assert.ok((await own.pdf()).length > 20000);
    await own.setViewportSize({ width: 700, height: 1000 });  // A4 within its margins
    const tables = await own.locator("#panel-Summary table").evaluateAll((all) =>
      all.filter((table) => table.offsetWidth > 0)
        .map((table) => [table.caption?.innerText, table.getBoundingClientRect().right]));
    assert.ok(tables.length > 3);
    for (const [caption, right] of tables) assert.ok(right <= 700, `${caption} ends at ${right}`);
    await own.close();
  });
});

describe("other pages", () => {
  test("two analyses: both are shown, the selection stays", async () => {
    const other = report("other", model("mobilenet_v2"), "--target", "jetson-orin");
    const data = /<script type="application\/octet-stream">[^<]*<\/script>\n/;
    const both = readFileSync(net.path, "utf8").replace(data,
                                                        (own) => own + data.exec(readFileSync(other.path, "utf8"))[0]);
    writeFileSync(join(scratch, "both.html"), both);
    const own = await open(pathToFileURL(join(scratch, "both.html")).href);
    const rows = await rowsOf(own.getByRole("table", { name: "Both analyses" }));
    assertSays(Object.values(rows[0])[1], net.document.summary.latency_s, "latency of A");
    assertSays(Object.values(rows[0])[2], other.document.summary.latency_s, "latency of B");
    await search(own, net.document.groups[4].name);
    await own.getByLabel("Analysis shown").selectOption("1");
    assert.equal(await heading(own), net.document.groups[4].name);
    assertSays(await own.locator(".fact .value").first().textContent(), other.document.summary.latency_s, "latency");
    assert.deepEqual(own.problems, []);
    await own.close();
  });

  test("a difference: two panes, one selection", async () => {
    const both = report("difference", "diff", model("simple_resnet"), model("mobilenet_v2"), "--target", "jetson-orin");
    const own = await open(both.url);
    const panes = [own.frameLocator("iframe >> nth=0"), own.frameLocator("iframe >> nth=1")];
    const chosen = (side) => panes[side].getByRole("region", { name: "Details" }).locator("h2").first();
    const rows = await rowsOf(own.getByRole("table", { name: "Totals" }));
    const latency = both.document.totals.find((row) => row.key === "latency_s");
    assertSays(rows[0].A, latency.a, "latency of A");
    assertSays(rows[0].B, latency.b, "latency of B");
    const top = async (locator) => (await locator.boundingBox()).y;
    assert.ok(await top(own.getByRole("table", { name: "Totals" })) < await top(own.locator("iframe >> nth=0")),
              "totals first");
    const names = own.getByRole("heading", { level: 1 });
    assert.ok((await names.textContent()).includes(model("mobilenet_v2")), "both names");
    assert.ok(await names.evaluate((element) => element.scrollWidth <= element.clientWidth), "whole");
    assert.equal((await rowsOf(own.getByRole("table", { name: "Differences" }))).length, both.document.nodes.length);
    // A row selects what it has on either side.
    const at = both.document.nodes.find((row) => row.change === "changed" && row.name_a !== row.name_b);
    const differences = own.getByRole("table", { name: "Differences" });
    await differences.getByRole("row").filter({ hasText: at.name_b }).first().click();
    await assertBecomes(() => chosen(0).textContent(), at.name_a);
    await assertBecomes(() => chosen(1).textContent(), at.name_b);
    // A node that is chosen in one pane is chosen in the other.
    const pair = both.document.nodes.find((row) => row.name_a && row.name_b && row !== at);
    await panes[0].getByRole("searchbox", { name: "Search" }).fill(pair.name_a);
    await panes[0].getByRole("searchbox", { name: "Search" }).press("Enter");
    await assertBecomes(() => chosen(1).textContent(), pair.name_b);
    assert.deepEqual(own.problems, []);
    assert.ok(own.requests.every((url) => /^(file|about|data|blob):/.test(url)), own.requests.join(" "));
    await own.close();
  });

  test("a pipeline is as long as its segment, in every view along the time", async () => {
    const piped = report("pipeline", join(root, "examples/models/resnet18.onnx"), "--target", "hailo-8");
    const { groups, segments, summary, nodes } = piped.document;
    const segment = segments.find((row) => row.contexts !== null);
    assert.ok(segment !== undefined, "the test wants a pipeline");
    const own = await open(piped.url);
    const group = groups.find((row) => row.id === segment.groups[1]);
    await search(own, nodes[group.nodes[0]].name);
    const runs = await details(own).locator("dt", { hasText: /^Runs$/ }).locator("xpath=following-sibling::dd[1]")
      .innerText();
    const [from, to] = runs.replace(", with the rest of its pipeline", "").split(" to ");
    const begin = segment.start_s + segment.transfer_s + segment.invoke_s;
    assertSays(from, begin, "the beginning");
    assertSays(to, begin + segment.time_s, "the end");
    await tab(own, "Timeline");
    const canvas = own.locator("canvas:visible").first();
    const box = await canvas.boundingBox();
    const middle = box.x + 118 + ((begin + segment.time_s / 2) / summary.latency_s) * (box.width - 126);
    const tips = [];
    for (let y = box.y + 10; y < box.y + 200 && tips.length === 0; y += 20) {
      await own.mouse.move(middle, y);
      await own.waitForTimeout(50);
      const text = await own.locator("body").innerText();
      if (text.includes("they run at the same time")) tips.push(text);
    }
    assert.equal(tips.length, 1, "the middle of the inference is the pipeline's");
    assert.deepEqual(own.problems, []);
    await own.close();
  });

  test("where there is no accelerator nothing runs on one", async () => {
    const plain = report("cpu", join(root, "examples/models/resnet18.onnx"), "--target", "cortex-a76");
    const own = await open(plain.url);
    const facts = await own.locator(".fact").allInnerTexts();
    assert.match(facts.find((fact) => fact.startsWith("Falls back")), /no accelerator to fall back from/);
    await own.close();
  });

  test("shapes, without a target", async () => {
    const shapes = report("shapes", "shapes", model("bert-base_128"));
    const own = await open(shapes.url);
    assert.equal(await own.locator(".fact .value").first().textContent(), `${shapes.document.summary.macs} MACs`);
    for (const name of kTabs) await tab(own, name);
    await search(own, shapes.document.nodes[30].label);
    assert.equal(await heading(own), shapes.document.nodes[30].label);
    assert.deepEqual(own.problems, []);
    await own.close();
  });

  test("50,000 nodes: small, few boxes and rows at once, every end found", async () => {
    run("python3", "-c",
        `import sys; sys.dont_write_bytecode = True; sys.path.insert(0, ${JSON.stringify(join(root, "test/bench"))})
import make_graphs
make_graphs.make(${JSON.stringify(join(scratch, "large.onnx"))}, "mixed", 50000)`);
    const large = report("large", join(scratch, "large.onnx"), "--target", "jetson-orin");
    assert.ok(statSync(large.path).size <= 1.5e6, `${statSync(large.path).size} bytes`);
    const own = await open(large.url);
    for (const name of kTabs) {
      await tab(own, name);
      const elements = await own.evaluate(() => document.querySelectorAll("*").length);
      assert.ok(elements < 3000, `${elements} elements on ${name}`);
    }
    for (const id of [0, 24999, 49999]) {
      const { label } = large.document.nodes[id];
      for (const name of ["Graph", "Table"]) {
        await tab(own, name);
        await search(own, label);
        assert.equal(await heading(own), label);
      }
    }
    await tab(own, "Graph");
    const boxes = parseInt(await own.locator(".note").first().textContent());
    assert.ok(boxes > 3 && boxes < 600, `${boxes} boxes drawn`);
    await own.getByRole("button", { name: "Open all" }).click();
    await own.waitForTimeout(200);
    assert.ok(parseInt(await own.locator(".note").first().textContent()) < 1600);
    assert.deepEqual(own.problems, []);
    await own.close();
  });
});
