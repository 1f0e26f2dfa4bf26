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
async function bundle(entry) {
  const result = await build({
    absWorkingDir: folder, entryPoints: [entry], bundle: true, minify: true, write: false, outdir: "dist",
    format: "iife", target: "es2022", charset: "ascii", legalComments: "none", logLevel: "warning",
  });
  const textOf = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
  const texts = [textOf(".js"), textOf(".css")];
  if (texts.some((text) => /<\/(script|style)/i.test(text))) throw new Error("the bundle would end its own element");
  return texts;
}
const [script, style] = await bundle("src/main.ts");
const [stillScript, stillStyle] = await bundle("src/still.ts");
writeFileSync(out, `// Written by lib/report/viewer/build.mjs.
#include "report/viewer_files.h"

namespace hwest {
namespace {

constexpr char kScript[] =
${literals(script)};

constexpr char kStyle[] =
${literals(style)};

constexpr char kStillScript[] =
${literals(stillScript)};

constexpr char kStillStyle[] =
${literals(stillStyle)};

}  // namespace

ViewerFiles Viewer() {
  return {.script = {kScript, sizeof(kScript) - 1}, .script_hash = "${hash(script)}",
          .style = {kStyle, sizeof(kStyle) - 1}, .style_hash = "${hash(style)}",
          .still_script = {kStillScript, sizeof(kStillScript) - 1}, .still_script_hash = "${hash(stillScript)}",
          .still_style = {kStillStyle, sizeof(kStillStyle) - 1}, .still_style_hash = "${hash(stillStyle)}"};
}

}  // namespace hwest
`);
