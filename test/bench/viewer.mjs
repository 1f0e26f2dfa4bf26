// Sizes and times of HTML reports: of ResNet-18 and of 50,000 nodes. Medians; software rendering. Times of the main
// thread are what it computes, whatever else the machine does.
//
//   HWEST_PROGRAM=build/onnx-hwest node test/bench/viewer.mjs [MODEL TARGET]
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { blank, close, open, program, root, run, scratch } from "../report/viewer/browser.mjs";

const kTabs = ["Summary", "Graph", "Timeline", "Memory", "Roofline", "Table"];
const kRuns = 5;
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
const ms = (time) => `${Math.round(time)} ms`;

// From an action to the frame after it.
const timed = (page, action, argument) => page.evaluate(async ([source, given]) => {
  const begin = performance.now();
  await (0, eval)(`(${source})`)(given);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - begin;
}, [action.toString(), argument]);

const clickTab = (name) => document.getElementById(`tab-${name}`).click();
const pressNext = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
const typeSearch = (text) => {
  const box = document.getElementById("search");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
};
const enterSearch = () => document.getElementById("search")
  .dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
const chooseOp = (op) => {
  const list = document.querySelector("[aria-label='Filter by operator']");
  list.value = op;
  list.dispatchEvent(new Event("change", { bubbles: true }));
};

// What the main thread computes until the page is ready, then to show the table, then to filter it.
async function busy(url) {
  const page = await blank({ bypassCSP: true });
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable", { timeDomain: "threadTicks" });
  let before = 0;
  const since = async () => {
    const { metrics } = await tools.send("Performance.getMetrics");
    const now = metrics.find(({ name }) => name === "TaskDuration").value * 1e3;
    const spent = now - before;
    before = now;
    return spent;
  };
  await since();
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "1");
  const spent = [await since()];
  for (const [action, argument] of [[clickTab, "Table"], [chooseOp, "Conv"]]) {
    await timed(page, action, argument);
    spent.push(await since());
  }
  await page.close();
  return spent;
}

async function measure(name, model, target) {
  const path = join(scratch, `${name}.html`);
  run(program, model, "--target", target, "--output", path);
  const url = pathToFileURL(path).href;
  const paints = [], readies = [];
  let page;
  for (let i = 0; i < kRuns; ++i) {
    await page?.close();
    page = await open(url, { bypassCSP: true });
    const isPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;
    await page.waitForFunction(isPainted);  // the page is ready before the first frame is on screen
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    readies.push(await page.evaluate(() => performance.getEntriesByName("ready")[0]?.startTime ?? NaN));
  }
  console.log(`${name}: ${statSync(path).size} bytes, first paint ${ms(median(paints))}, ready ${ms(median(readies))}`);
  const runs = [];
  for (let i = 0; i < kRuns; ++i) runs.push(await busy(url));
  const [ready, table, filtered] = [0, 1, 2].map((step) => ms(median(runs.map((run) => run[step]))));
  console.log(`  main thread: ready ${ready}, table ${table}, filter ${filtered}`);
  for (const tab of kTabs) {
    const first = await timed(page, clickTab, tab);
    const click = [], next = [];
    for (let i = 0; i < kRuns; ++i) {
      await timed(page, clickTab, kTabs[0] === tab ? kTabs[1] : kTabs[0]);
      click.push(await timed(page, clickTab, tab));
      next.push(await timed(page, pressNext));
    }
    const filter = [await timed(page, chooseOp, "Conv"), await timed(page, chooseOp, "")];
    console.log(`  ${tab}: first ${ms(first)}, again ${ms(median(click))}, select ${ms(median(next))}, filter ${ms(Math.max(...filter))}`);
  }
  const search = [await timed(page, typeSearch, "conv"), await timed(page, typeSearch, "block"),
                  await timed(page, typeSearch, "9"), await timed(page, enterSearch)];
  console.log(`  search: first ${ms(search[0])}, next ${ms(Math.max(search[1], search[2]))}, Enter ${ms(search[3])}`);
  await page.close();
}

if (process.argv.length > 3) {
  await measure("model", process.argv[2], process.argv[3]);
} else {
  await measure("resnet18", join(root, "examples/models/resnet18.onnx"), "jetson-orin");
  for (const kind of ["mixed", "mixed_mesh"]) {
    const path = join(scratch, `${kind}.onnx`);
    run("python3", "-c",
        `import sys; sys.dont_write_bytecode = True; sys.path.insert(0, ${JSON.stringify(join(root, "test/bench"))})
import make_graphs
make_graphs.make(${JSON.stringify(path)}, "${kind}", 50000)`);
    await measure(`50,000 nodes, ${kind}`, path, "jetson-orin");
  }
}
await close();
