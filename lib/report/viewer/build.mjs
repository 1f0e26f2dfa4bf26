// Bundles the page's script and style sheet and writes them as C++:
//
//   node build.mjs OUT.cc
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const kLiteralBytes = 8000; // short enough for every compiler

// As string literals in a row. Octal escapes end by themselves, hexadecimal ones do not.
function literals(text) {
  const bytes = Buffer.from(text, "utf8");
  const lines = [];
  for (let begin = 0; begin < bytes.length; begin += kLiteralBytes) {
    let line = "";
    for (const byte of bytes.subarray(begin, begin + kLiteralBytes)) {
      const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      line += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    lines.push(`    "${line}"`);
  }
  return lines.join("\n");
}

const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const out = process.argv[2];
const folder = dirname(fileURLToPath(import.meta.url));
const result = await build({
  absWorkingDir: folder, entryPoints: ["src/main.ts"], bundle: true, minify: true, write: false, outdir: "dist",
  format: "iife", target: "es2022", charset: "ascii", legalComments: "none", logLevel: "warning",
});
const textOf = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
const [script, style] = [textOf(".js"), textOf(".css")];
for (const text of [script, style]) {
  if (/<\/(script|style)/i.test(text)) throw new Error("the bundle would end its own element");
}
writeFileSync(out, `// Written by lib/report/viewer/build.mjs.
#include "report/viewer_files.h"

namespace hwest {
namespace {

constexpr char kScript[] =
${literals(script)};

constexpr char kStyle[] =
${literals(style)};

}  // namespace

ViewerFiles Viewer() {
  return {.script = {kScript, sizeof(kScript) - 1}, .script_hash = "${hash(script)}",
          .style = {kStyle, sizeof(kStyle) - 1}, .style_hash = "${hash(style)}"};
}

}  // namespace hwest
`);
