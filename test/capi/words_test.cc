// Messages name options in the words of C and of Python.
#include "words.h"

#include <string>
#include <vector>

#include "hwest.h"
#include "support/catch.h"

namespace hwest::capi {
namespace {

struct Case {
  const char* text;
  std::vector<NamedOption> options;
  const char* c;
  const char* python;
};

const std::vector<Case>& Cases() {
  // clang-format off
  static const auto* const cases = new std::vector<Case>{
      {"dims: --dim batch=1 --dim seq=128", {{"--dim", {"batch=1", "seq=128"}}},
       "dims: options.dims = {\"batch=1\", \"seq=128\"}", "dims: dims={\"batch\": 1, \"seq\": 128}"},
      {"use --dim INPUT.AXIS=N here", {{"--dim", {"INPUT.AXIS=N"}}},
       "use options.dims = {\"INPUT.AXIS=N\"} here", "use dims={\"INPUT.AXIS\": N} here"},
      {"--value 'x=[1,2]' settles it", {{"--value", {"x=[1,2]"}}},
       "options.values = {\"x=[1,2]\"} settles it", "values={\"x\": [1,2]} settles it"},
      {"--toolchain UNIT=NAME", {{"--toolchain", {"UNIT=NAME"}}},
       "options.toolchains = {\"UNIT=NAME\"}", "toolchains={\"UNIT\": \"NAME\"}"},
      {"--shape images=1x3, or --shape 7", {{"--shape", {"images=1x3"}}, {"--shape", {"7"}}},
       "options.shapes = {\"images=1x3\"}, or options.shapes = {\"7\"}",
       "shapes={\"images\": (1, 3)}, or shapes={\"\": (7,)}"},
      {"add --assume Softmax@dla0.", {{"--assume", {"Softmax@dla0"}}},
       "add options.assume = {\"Softmax@dla0\"}.", "add assume=['Softmax@dla0']."},
      {"write --power-cap 12.5 or more, or choose a --mode", {{"--power-cap", {"12.5"}}, "--mode"},
       "write options.power_cap_w = 12.5 or more, or choose a options.mode",
       "write power_cap_w=12.5 or more, or choose a mode"},
      {"add --target NAME, or take jetson: --target jetson", {{"--target", {"NAME"}}, {"--target", {"jetson"}}},
       "add options.target = NAME, or take jetson: options.target = \"jetson\"",
       "add target=NAME, or take jetson: target=\"jetson\""},
      {"--context sets them", {"analyze --context"},
       "hwest_generation_create() sets them", "Model.generation() sets them"},
      {"--context cannot be '-4'", {"--context"}, "options.context cannot be '-4'", "context cannot be '-4'"},
      {"add --allow-approximate", {"--allow-approximate"},
       "add rewrite.allow_approximate = 1", "add allow_approximate=True"},
      {"`onnx-hwest targets` lists them", {"`onnx-hwest targets`"},
       "hwest_target_list_create() lists them", "onnx_hwest.targets() lists them"},
      {"options.threads cannot be '-1'", {"options.threads"},
       "options.threads cannot be '-1'", "threads cannot be '-1'"},
      {"--op-rules and --op", {"--op"}, "--op-rules and options.ops", "--op-rules and ops"},
      {"leave --strict out", {"--strict"}, "leave --strict out", "leave --strict out"},
      {"--dim is not named", {}, "--dim is not named", "--dim is not named"},
      {"nothing of the kind", {"--dim"}, "nothing of the kind", "nothing of the kind"},
  };
  // clang-format on
  return *cases;
}

TEST_CASE("options of a message in the words of C and of Python") {
  for (const Case& c : Cases()) {
    INFO(c.text);
    SetWords(HWEST_WORDS_C);
    CHECK(Worded(c.text, c.options) == c.c);
    SetWords(HWEST_WORDS_PYTHON);
    CHECK(Worded(c.text, c.options) == c.python);
  }
  SetWords(HWEST_WORDS_C);
}

TEST_CASE("words that there are not change nothing") {
  SetWords(99);
  CHECK(Worded("--mode", {"--mode"}) == "options.mode");
}

}  // namespace
}  // namespace hwest::capi
