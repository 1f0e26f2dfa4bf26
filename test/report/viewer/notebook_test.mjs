// The page of a report inside a notebook, as onnx_hwest shows an analysis: in a frame without an origin of its own.
//
//   HWEST_PROGRAM=build/onnx-hwest node --test test/report/viewer/notebook_test.mjs
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { blank, close, report, root, run, scratch } from "./browser.mjs";

after(close);

test("a frame of a notebook shows every tab, asks for nothing and cannot read the notebook", async () => {
  const { path } = report("framed", join(root, "examples/models/resnet18.onnx"), "--target", "tda4vm");
  const code = "import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True\n" +
               "from onnx_hwest._rows import framed; print(framed(open(sys.argv[2]).read(), 'a \"report\"'))";
  const frame = run("python3", "-c", code, join(root, "capi/python"), path);
  const notebook = join(scratch, "notebook.html");
  writeFileSync(notebook, `<!doctype html><meta charset="utf-8"><title>notebook</title>${frame}`);
  const page = await blank();
  await page.goto(pathToFileURL(notebook).href);
  const inside = page.frames()[1];
  await inside.waitForFunction(() => document.documentElement.dataset.ready === "1");
  for (const name of ["Graph", "Timeline", "Memory", "Roofline", "Table", "Summary"]) {
    await inside.getByRole("tab", { name, exact: true }).click();
  }
  const box = inside.getByRole("searchbox", { name: "Search" });
  await box.fill("layer1");
  await box.press("Enter");
  await inside.getByRole("region", { name: "Details" }).getByText("layer1").first().waitFor();
  assert.equal(await inside.evaluate(() => {
    try {
      return parent.document.title;
    } catch {
      return "refused";
    }
  }), "refused");
  assert.deepEqual(page.problems, []);
  assert.equal(page.requests.length, 1);
});
