// The picture of the README: the first screen of a report, as docs/report.png.
//
//   HWEST_PROGRAM=build/onnx-hwest node test/report/viewer/screenshot.mjs [FILE.png]
import { join } from "node:path";
import { close, open, report, root } from "./browser.mjs";

const file = process.argv[2] ?? join(root, "docs/report.png");
process.chdir(root);  // the page names the model as it was given
const { url } = report("screenshot", "examples/models/resnet18.onnx", "--target", "tda4vm");
const page = await open(url, { viewport: { width: 1200, height: 720 }, colorScheme: "light" });
await page.screenshot({ path: file });
await close();
