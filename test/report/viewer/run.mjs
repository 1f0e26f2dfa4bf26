// Checks the types of the page's sources, then runs its tests. Exit codes: 0, 1, or 77 = skipped.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const viewer = join(here, "../../../lib/report/viewer");
const step = (args, options) => {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", ...options });
  if (status !== 0) process.exit(status ?? 1);
};

const compiler = join(viewer, "node_modules/typescript/bin/tsc");
if (existsSync(compiler)) step([compiler, "--noEmit", "-p", viewer]);
else console.log("DID NOT RUN: the check of types: no TypeScript, which cmake/setup.sh --tests fetches");
step([join(here, "browser.mjs")]);  // ends with 77 where there is no browser
step(["--test", join(here, "page_test.mjs"), join(here, "figures_test.mjs"),
      join(here, "notebook_test.mjs"), join(here, "second_look_test.mjs")]);
