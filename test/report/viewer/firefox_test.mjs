// HTML reports in Firefox: they open, load nothing, say the document's figures, and keys work. What the page says in
// detail is tested in Chromium. HWEST_FIREFOX names a browser elsewhere.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Firefox, firefox } from "./firefox.mjs";
import { assertSays, report, root, skip } from "./report.mjs";

if (firefox === undefined) skip("no Firefox: apt-get install firefox-esr, or HWEST_FIREFOX names one");

let browser, net;
before(async () => {
  net = report("firefox", join(root, "test/models/mobilenet_v2.ts.onnx"), "--target", "tda4vm", "--deny",
               "Clip@c7x-mma");
  browser = await Firefox.start();
  await browser.open(net.url);
});
after(() => browser?.stop());

const heading = () => browser.evaluate(() => document.querySelector(".details h2").textContent);

test("nothing is loaded, nothing goes wrong", () => {
  // Firefox tells of no file it opens, but of data that its own pages hold.
  assert.deepEqual(browser.requests.filter((url) => url !== net.url && !url.startsWith("data:")), []);
  assert.deepEqual(browser.problems, []);
});

test("the first view is the answer", async () => {
  const latency = await browser.evaluate(() => document.querySelector(".fact .value").textContent);
  assertSays(latency, net.document.summary.latency_s, "latency");
});

test("every tab shows something", async () => {
  for (const [i, name] of ["Summary", "Graph", "Timeline", "Memory", "Roofline", "Table"].entries()) {
    await browser.press(String(i + 1));
    await browser.until((name) => document.querySelector(`#tab-${name}`).getAttribute("aria-selected") === "true",
                        name);
    const size = await browser.evaluate((name) => {
      const panel = document.querySelector(`#panel-${name}`);
      const canvas = panel.querySelector("canvas");
      if (canvas === null) return panel.querySelectorAll("tr").length;
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(pixels.buffer)).size;
    }, name);
    assert.ok(size > 5, `${name} is empty`);
  }
  assert.deepEqual(browser.problems, []);
});

test("search and the keys select what the document has", async () => {
  const groups = [...net.document.groups].sort((a, b) => b.time_s - a.time_s || a.id - b.id);
  await browser.press("\uE00C", "n");  // Escape: nothing is selected
  assert.equal(await heading(), groups[0].name);
  await browser.press("/", ...groups[3].name, "\uE007");  // Enter
  await browser.until((name) => document.querySelector(".details h2").textContent === name, groups[3].name);
});

test("a link selects a node", async () => {
  const { label } = net.document.nodes[10];
  await browser.open("about:blank").catch(() => {});
  await browser.open(`${net.url}#node=${encodeURIComponent(label)}`);
  assert.equal(await heading(), label);
});
