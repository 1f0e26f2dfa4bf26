#include "ir/scopes.h"

#include <string>
#include <vector>

#include "support/catch.h"

namespace hwest {
namespace {

std::vector<std::string> Paths(const std::vector<ScopeLevel>& levels) {
  std::vector<std::string> paths;
  for (const ScopeLevel& level : levels) paths.push_back(level.path + ":" + level.class_name);
  return paths;
}

TEST_CASE("Python lists of strings") {
  struct Case {
    std::string text;
    bool ok;
    std::vector<std::string> want;
  };
  const auto c = GENERATE(values<Case>({
      {"[]", true, {}},
      {"['', 'model', \"it's\"]", true, {"", "model", "it's"}},
      {"['a\\'b']", true, {"a'b"}},
      {"['a'", false, {}},
      {"a, b", false, {}},
      {"", false, {}},
  }));
  INFO(c.text);
  std::vector<std::string> items;
  CHECK(ParsePythonStringList(c.text, items) == c.ok);
  if (c.ok) CHECK(items == c.want);
}

TEST_CASE("levels of slash-separated names") {
  CHECK(Paths(LevelsOfName("/layer1/layer1.0/Conv")) == std::vector<std::string>{":", "layer1:", "layer1/layer1.0:"});
  CHECK(Paths(LevelsOfName("/Add")) == std::vector<std::string>{":"});
  CHECK(LevelsOfName("Conv_0").empty());
}

TEST_CASE("levels of exporter metadata; the operator call is dropped") {
  StringTable strings;
  RawMetadata metadata;
  metadata.name_scopes = strings.Intern("['', 'model', 'model.fc', 'linear']");
  metadata.class_hierarchy = strings.Intern("['Net', 'Head', 'Linear', 'aten.linear.default']");
  CHECK(Paths(LevelsOfMetadata(metadata, strings)) ==
        std::vector<std::string>{":Net", "model:Head", "model.fc:Linear"});
  RawMetadata plain;
  plain.namespace_text = strings.Intern(": Net/model.fc: Linear/linear: aten.linear.default");
  CHECK(Paths(LevelsOfMetadata(plain, strings)) == std::vector<std::string>{":Net", "model.fc:Linear"});
}

TEST_CASE("metadata that says there is no module gives no scope") {
  StringTable strings;
  RawMetadata metadata;
  metadata.namespace_text =
      strings.Intern("_empty_nn_module_stack_from_metadata_hook: _empty_nn_module_stack_from_metadata_hook/s: t");
  metadata.name_scopes = strings.Intern("['_empty_nn_module_stack_from_metadata_hook', 's']");
  CHECK(LevelsOfMetadata(metadata, strings).empty());
}

TEST_CASE("paths of thousands of levels are cut: all of them together would be quadratic") {
  std::string name;
  for (int i = 0; i < 10'000; ++i) name += "/a";
  CHECK(LevelsOfName(name + "/Conv").size() == 64);
  CHECK(LevelsOfName("/" + std::string(10'000, 'a') + "/Conv").size() == 1);
}

TEST_CASE("names one after the other give the scopes that each gives alone") {
  std::string deep, wide = "/a";
  for (int i = 0; i < 100; ++i) deep += "/d" + std::to_string(i);
  for (int i = 0; i < 60; ++i) wide += "/" + std::string(100, 'w');
  // clang-format off
  const std::vector<std::string> names = {
      "/a/b/c/Conv",      "/a/b/c/Relu",        "/a/b/d/Conv",  "/a/b/Conv",        "/a/bb/Conv",  "//a///b//Conv",
      "a/b/c/Conv",       "/Conv",              "/a/b/c/d/Mul", "/b/b/c/Conv",      "/a/b/c/Conv", deep + "/Conv",
      deep + "/x/Conv",   "/d0/d1/x/Conv",      wide + "/Conv", wide + "/x/Conv",   "/a/Conv",     "Conv",
      "/" + std::string(5000, 'l') + "/Conv", "/a/" + std::string(5000, 'l') + "/Conv", "/a/b/e/Conv",
  };
  // clang-format on
  StringTable strings, strings_of_each;
  ScopeTree tree(strings), tree_of_each(strings_of_each);
  std::vector<ScopeId> got, want;
  for (const std::string& name : names) {
    const std::vector<ScopeLevel> levels = LevelsOfName(name);
    got.push_back(tree.AddNodeName(name));
    want.push_back(levels.empty() ? ScopeId() : tree_of_each.Add(levels));
  }
  CHECK(got == want);
  const auto scopes = tree.Take(), scopes_of_each = tree_of_each.Take();
  REQUIRE(scopes.size() == scopes_of_each.size());
  for (uint32_t i = 0; i < scopes.size(); ++i) {
    const Scope &one = scopes[ScopeId(i)], &other = scopes_of_each[ScopeId(i)];
    CHECK(strings[one.path] == strings_of_each[other.path]);
    CHECK(one.parent == other.parent);
    CHECK(one.has_children == other.has_children);
  }
}

TEST_CASE("the tree links parents and marks scopes that contain scopes") {
  StringTable strings;
  ScopeTree tree(strings);
  const ScopeId leaf = tree.Add(LevelsOfName("/a/b/Conv"));
  const ScopeId middle = tree.Add(LevelsOfName("/a/Add"));
  const ScopeId call = tree.AddCall(middle, "call", "Block");
  const auto scopes = tree.Take();
  CHECK(scopes[leaf].parent == middle);
  CHECK(scopes[middle].has_children);
  CHECK_FALSE(scopes[leaf].has_children);
  CHECK(strings[scopes[call].path] == "a/call");
  CHECK(strings[scopes[call].class_name] == "Block");
}

}  // namespace
}  // namespace hwest
