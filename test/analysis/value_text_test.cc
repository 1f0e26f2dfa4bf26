#include "analysis/value_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

struct TextCase {
  std::string text;
  std::string want;  // name, type and dims of what was added, or the start of the error
};

TEST_CASE("contents of an input as text") {
  const TextCase c = GENERATE(values<TextCase>({
      {"ids=[1,2,3]", "ids int64 [3]"},
      {"ratio=0.5", "ratio float []"},
      {"flag=true", "flag bool []"},
      {"open=int64:[1,2]", "open int64 [2]"},
      {"ids=int64:7", "ids int64 []"},
      {"ids", "error: contents cannot be 'ids'"},
      {"=1", "error: contents cannot be '=1'"},
      {"idz=[1]", "error: the model has no input 'idz': its inputs are ids"},
      {"open=[1]", "error: contents of 'open': input 'open' has no declared element type"},
      {"ids=[x]", "error: contents of 'ids': '[x]', character 2: 'x' is no int64"},
      {"ids=none.pb", "error: contents of 'ids': cannot open 'none.pb'"},
      {"ids=./none", "error: contents of 'ids': cannot open './none'"},
  }));
  INFO(c.text);
  const Graph graph = test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (int64[n] ids, float ratio, bool flag, open) =>"
      " (int64[n] y) { y = Identity(ids) }");
  BindRequest bind;
  const absl::Status status = AddValue(graph, c.text, &bind);
  std::string found = absl::StrCat("error: ", std::string(status.message()));
  if (status.ok()) {
    REQUIRE(bind.values.size() == 1);
    const auto& [name, contents] = bind.values[0];
    found = absl::StrCat(name, " ", ElemTypeName(contents.elem), " [", absl::StrJoin(contents.dims, ","), "]");
  }
  CHECK(found.substr(0, c.want.size()) == c.want);
}

TEST_CASE("a name of an input may hold an equals sign") {
  const test::Message body = test::Message()
                                 .Sub(1, test::Node("Identity", {"a=b"}, {"y"}))
                                 .Sub(11, test::TensorValue("a=b", 7, {1}))
                                 .Sub(12, test::TensorValue("y", 7, {1}));
  const auto graph = test::BuildBytes(test::Model(body).bytes());
  REQUIRE(graph.ok());
  BindRequest bind;
  REQUIRE(AddValue(*graph, "a=b=[1]", &bind).ok());
  CHECK(bind.values[0].first == "a=b");
}

}  // namespace
}  // namespace hwest
