#include "import/source_line.h"

#include <string>

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("A stack trace names the innermost line of the program") {
  struct Case {
    const char* trace;
    const char* want;
  };
  const auto c = GENERATE(values<Case>({
      {"", ""},
      {"no frames here\nnor here", ""},
      {"File \"net.py\", line 12, in forward\n    x = self.conv(x)", "net.py:12 in forward: x = self.conv(x)"},
      {"File \"net.py\", line 12, in forward\n    y = f(x)\n  File \"b.py\", line 3, in f\n    return x\n    ~~~~^^",
       "b.py:3 in f: return x"},
      // The framework's own lines tell nothing about the model.
      {"File \"net.py\", line 12, in forward\n    y = f(x)\n"
       "  File \"site-packages/torch/nn/modules/conv.py\", line 565, in forward\n    return self._conv_forward(",
       "net.py:12 in forward: y = f(x)"},
      {"File \"site-packages/torchvision/models/resnet.py\", line 93, in forward\n    out = self.bn1(out)",
       "site-packages/torchvision/models/resnet.py:93 in forward: out = self.bn1(out)"},
      {"File \"torch/fx/passes/runtime_assert.py\", line 24, in insert_deferred_runtime_asserts",
       "torch/fx/passes/runtime_assert.py:24 in insert_deferred_runtime_asserts"},
      {"File \"net.py\", line 12", "net.py:12"},
      {"File \"net.py\", line twelve, in forward", ""},
      {"File \"net.py, line 12, in forward", ""},
  }));
  INFO(c.trace);
  CHECK(SourceLineOf(c.trace) == c.want);
}

TEST_CASE("Parts of a source line that are too long are cut between characters") {
  std::string code;
  for (int i = 0; i < 5000; ++i) code += "\xC3\xA9";
  const std::string line = SourceLineOf("File \"a" + code + "\", line 1, in f\n  " + code);
  CHECK(line.size() < 600);
  CHECK(line.substr(0, 3) == "a\xC3\xA9");
  CHECK((line.size() - std::string(":1 in f: ").size() - 1) % 2 == 0);
}

}  // namespace
}  // namespace hwest
