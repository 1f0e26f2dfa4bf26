// Names and figures in a file: misspellings are errors with a suggestion, wrong powers of ten are warnings; and the
// reference of the format lists them all.
#include "target/names.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hwest/target.h"
#include "support/catch.h"
#include "target/limit.h"
#include "target/plausible.h"
#include "target/schema.h"

namespace hwest {
namespace {

const char kCompiler[] = R"(name: "mine"
sources { key: "s" title: "Manual" date: "2026" }
support { op: "Conv" op: "Relu" source: "s" trust: PUBLISHED
  limit { of: "attr:kernel_shape" max: 7 } }
support { op: "Gelu" domain: "com.microsoft" only_in: "gelu_erf" source: "s" trust: PUBLISHED }
support { op: "*" source: "s" trust: PUBLISHED limit { of: "op" any: "Relu" when { of: "has:axis" min: 1 } } }
fuses { pattern: "conv_act" source: "s" limit { of: "attr:group" max: 1 } }
keeps { reading: "square" source: "s" }
slow { op: "Erf" after: "Transpose" cycles { value: 9 source: "s" trust: PUBLISHED } }
)";

std::string Edited(absl::string_view text, absl::string_view from, absl::string_view to) {
  std::string edited = absl::StrReplaceAll(text, {{from, to}});
  REQUIRE(edited != text);
  return edited;
}

TEST_CASE("names of a toolchain file that do not exist") {
  struct Case {
    const char* from;
    const char* to;
    int line;
    const char* message;
    const char* remedy;
  };
  const auto c = GENERATE(values<Case>({
      {"op: \"Conv\"", "op: \"Cnov\"", 3, "operator 'Cnov' is not known", "did you mean Conv"},
      {"op: \"Gelu\"", "op: \"Gelo\"", 5, "operator 'Gelo' is not known", "did you mean Gelu"},
      {"attr:kernel_shape", "attr:kernal_shape", 3, "none of these operators has an attribute 'kernal_shape'",
       "did you mean kernel_shape?"},
      {"any: \"Relu\"", "any: \"Rellu\"", 6, "operator 'Rellu' is not known", "did you mean Relu"},
      {"has:axis", "has:axiss", 6, "no operator has an attribute 'axiss'", "did you mean axis"},
      {"only_in: \"gelu_erf\"", "only_in: \"gelu_erv\"", 5, "fusion 'gelu_erv' is not known", "did you mean gelu_erf?"},
      {"pattern: \"conv_act\"", "pattern: \"conv_akt\"", 7, "fusion 'conv_akt' is not known", "did you mean conv_act"},
      {"attr:group", "attr:grup", 7, "no operator has an attribute 'grup'", "did you mean group"},
      {"reading: \"square\"", "reading: \"sqare\"", 8, "reading 'sqare' is not known", "did you mean square"},
      {"after: \"Transpose\"", "after: \"Transpos\"", 9, "operator 'Transpos' is not known", "Transpose"},
      // It does nothing, for any compiler.
      {"reading: \"square\"", "reading: \"cast_back\"", 8, "reading 'cast_back' is not known", "target-format"},
  }));
  CHECK(LintTarget(kCompiler, "mine.textproto").problems.empty());
  const LintReport report = LintTarget(Edited(kCompiler, c.from, c.to), "mine.textproto");
  INFO(c.to);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].line == c.line);
  CHECK(report.problems[0].severity == Severity::kError);
  CHECK(absl::StrContains(report.problems[0].message, c.message));
  CHECK(absl::StrContains(report.problems[0].remedy, c.remedy));
}

TEST_CASE("names of one's own are no misspellings") {
  for (const auto& [from, to] :
       {std::pair("op: \"Gelu\" domain: \"com.microsoft\"", "op: \"Gelo\" domain: \"my.domain\""),
        std::pair("op: \"Gelu\" domain: \"com.microsoft\"", "op: \"Gelo\" domain: \"ai.onnx\""),
        std::pair("only_in: \"gelu_erf\"", "only_in: \"deformable_sampling\"")}) {
    INFO(to);
    CHECK(LintTarget(Edited(kCompiler, from, to), "mine.textproto").problems.empty());
  }
}

TEST_CASE("parameters that do not exist, or belong to another kind of machine") {
  const std::string text(ExampleTarget());
  struct Case {
    const char* name;
    const char* message;
    const char* remedy;
  };
  const auto c = GENERATE(values<Case>({
      {"compute_eficiency", "parameter 'compute_eficiency' is not known", "did you mean compute_efficiency"},
      {"compute_efficiency.int9", "precision 'int9' is not known", "int8"},
      {"waves_half", "parameter 'waves_half' is one of SIMT_GPU, this unit is SYSTOLIC", "correct `kind`"},
      {"frame_s.int8", "parameter 'frame_s.int8' is one of DATAFLOW", "remove it"},
  }));
  const std::string edited = Edited(text, "\"compute_efficiency\"", absl::StrCat("\"", c.name, "\""));
  const LintReport report = LintTarget(edited, "npu.textproto");
  INFO(c.name);
  REQUIRE(ErrorsIn(report) == 1);
  CHECK(absl::StrContains(report.problems[0].message, c.message));
  CHECK(absl::StrContains(report.problems[0].remedy, c.remedy));
  CHECK(report.problems[0].line > 0);
  CHECK_FALSE(ParseTarget(edited, "npu.textproto").ok());
}

TEST_CASE("figures that no machine has are warnings, and the file can be used") {
  const std::string text(ExampleTarget());
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  const auto c = GENERATE(values<Case>({
      {"value: 1e9 source", "value: 1e6 source", "1e+06 is not credible: clock_hz is 1e+07 to 1e+10"},
      {"value: 8.5e9", "value: 1e15", "1e+15 is not credible: bytes_per_s"},
      {"value: 2048", "value: 1e11", "1e+20 is not credible: MACs per second"},
      {"value: 5e-13", "value: 1", "1 is not credible: energy_j"},
      {"fact { value: 0.6", "fact { value: 0", "0 is not credible: compute_efficiency"},
      {"fact { value: 0.6", "fact { value: 3", "3 is not credible: compute_efficiency"},
  }));
  std::string edited = Edited(text, c.from, c.to);
  edited = Edited(edited, "min: 0.1\n    max: 1\n", "min: 0\n    max: 10\n");
  INFO(c.to);
  const LintReport report = LintTarget(edited, "npu.textproto");
  CHECK(ErrorsIn(report) == 0);
  REQUIRE_FALSE(report.problems.empty());
  bool found = false;
  for (const LintProblem& problem : report.problems) {
    CHECK(problem.severity == Severity::kWarning);
    CHECK(problem.line > 0);
    found = found || absl::StrContains(problem.message, c.message);
  }
  CHECK(found);
  CHECK(ParseTarget(edited, "npu.textproto").ok());
}

TEST_CASE("figures that no estimate reads are warnings, where the file itself states them") {
  const std::string latency =
      Edited(ExampleTarget(), "bytes_per_s { value: 8.5e9",
             "latency_s { value: 1e-7 source: \"sheet\" trust: PUBLISHED } bytes_per_s { value: 8.5e9");
  const LintReport report = LintTarget(latency, "npu.textproto");
  const auto found = std::find_if(report.problems.begin(), report.problems.end(), [](const LintProblem& problem) {
    return problem.message == "no estimate reads this figure";
  });
  REQUIRE(found != report.problems.end());
  CHECK(found->severity == Severity::kWarning);
  CHECK(found->line > 0);
  const std::string sparse =
      Edited(ExampleTarget(), "per_cycle { value: 2048",
             "sparse_per_cycle { value: 4096 source: \"sheet\" trust: DERIVED } per_cycle { value: 2048");
  CHECK(LintTarget(sparse, "npu.textproto").problems.empty());
  const LintReport derived = LintTarget("name: \"mine\" base: \"t4\"", "mine.textproto");
  CHECK(derived.problems.empty());
}

TEST_CASE("a file with an error still shows what is not credible") {
  std::string text = Edited(ExampleTarget(), "value: 1e9 source", "value: 1e6 source");
  text = Edited(text, "\"compute_efficiency\"", "\"compute_eficiency\"");
  const LintReport report = LintTarget(text, "npu.textproto");
  REQUIRE(report.problems.size() == 2);
  CHECK(report.problems[0].severity == Severity::kError);
  CHECK(report.problems[1].severity == Severity::kWarning);
}

TEST_CASE("a base's own toolchain lies beside the base") {
  namespace fs = std::filesystem;
  const fs::path top = fs::path("names_test_folder");
  fs::create_directories(top / "base");
  fs::create_directories(top / "laid");
  std::ofstream(top / "base" / "mine.textproto") << kCompiler;
  std::ofstream(top / "base" / "npu.textproto")
      << Edited(ExampleTarget(), "toolchain: \"tidl\"", "toolchain: \"./mine.textproto\"");
  std::ofstream(top / "laid" / "over.textproto") << "name: \"over\" base: \"../base/npu.textproto\"\n";
  const auto target = LoadTarget((top / "laid" / "over.textproto").string());
  INFO((target.ok() ? std::string() : std::string(target.status().message())));
  REQUIRE(target.ok());
  CHECK(ToolchainOf(*target, *UnitOf(*target, "npu"))->support.size() == 3);
  fs::remove_all(top);
}

TEST_CASE("a toolchain lays itself over its base") {
  namespace fs = std::filesystem;
  const fs::path path = fs::absolute("names_test_later.textproto");
  std::ofstream(path) << R"(
name: "later" version: "2" base: "tensorrt" precision: [ FP8 ]
sources { key: "me" title: "read by me" date: "2026" }
support { op: [ "Slice", "Attention" ] source: "me" trust: PUBLISHED }
support { op: "Abs" no: true source: "me" trust: PUBLISHED }
fuses { pattern: "dw_pw" source: "me" }
fuses { pattern: "conv_pool" source: "me" })";
  const auto base = LoadToolchain("tensorrt");
  const auto later = LoadToolchain(path.string());
  fs::remove(path);
  REQUIRE(later.ok());
  CHECK(later->version == "2");
  CHECK(later->precisions == std::vector<Num>{Num::kFp8});
  CHECK_FALSE(SupportOf(*base, "", "Slice")->limits.empty());
  CHECK(SupportOf(*later, "", "Slice")->limits.empty());
  CHECK(SupportOf(*base, "", "Attention") == nullptr);
  CHECK(SupportOf(*later, "", "Attention")->supported);
  CHECK_FALSE(SupportOf(*later, "", "Abs")->supported);
  CHECK(SupportOf(*later, "", "Add")->limits.size() == SupportOf(*base, "", "Add")->limits.size());
  CHECK(later->by_op.size() == base->by_op.size() + 1);
  CHECK(PickOf(*later, "dw_pw")->source == "me");
  CHECK(later->fuses.size() == base->fuses.size() + 1);

  std::ofstream(path) << "name: \"circle\" base: \"./names_test_later.textproto\"";
  const auto circle = LoadToolchain(path.string());
  fs::remove(path);
  CHECK(absl::StrContains(circle.status().message(), "chain of bases is too long"));
}

TEST_CASE("the reference says what every field, parameter and limit is") {
  std::set<std::string> tables;
  for (const FormatRow& row : TargetFormat()) {
    INFO(row.in << " " << row.name);
    tables.insert(row.in);
    CHECK((!row.meaning.empty() || ((row.in == "fusion" || row.in == "reading") && !row.name.empty())));
  }
  for (const char* table : {"Target", "Unit", "Rate", "Memory", "Link", "Mode", "Fact", "Param", "Toolchain", "Support",
                            "Limit", "Kind", "Num", "Work", "Trust", "param", "limit", "fusion"}) {
    INFO(table);
    CHECK(tables.count(table) == 1);
  }
}

TEST_CASE("every form of a limit in the reference can be read, and every one that can is in it") {
  std::set<LimitKind> kinds;
  for (const LimitText& row : LimitTexts()) {
    proto::Limit limit;
    limit.set_of(absl::StrReplaceAll(
        row.text,
        {{":INDEX", ":0"}, {":AXIS", ":0"}, {":FROM", ":1"}, {"@NAME", "@axis"}, {":NAME", ":axis"}, {":I", ":0"}}));
    limit.add_any("x");
    Limit read;
    INFO(row.text);
    CHECK(ReadLimit(limit, &read) == "");
    kinds.insert(read.kind);
  }
  CHECK(kinds.size() == static_cast<size_t>(LimitKind::kOp) + 1);
}

TEST_CASE("the example is a clean target with a range for each of its figures") {
  const LintReport report = LintTarget(ExampleTarget(), "example.textproto");
  CHECK(report.problems.empty());
  const auto target = ParseTarget(ExampleTarget(), "example.textproto");
  REQUIRE(target.ok());
  CHECK(target->units.size() == 2);
  for (const PlausibleRow& row : PlausibleRanges()) CHECK(row.min < row.max);
  for (const ParamRow& row : AllParams()) CHECK(row.min < row.max);
}

TEST_CASE("a text that does not parse names the schema") {
  const LintReport report = LintTarget("name: \"x\" nonsense: 1", "x.textproto");
  REQUIRE(report.problems.size() == 1);
  CHECK(absl::StrContains(report.problems[0].remedy, "target.proto"));
  CHECK(absl::StrContains(report.problems[0].remedy, "describe target-format"));
}

}  // namespace
}  // namespace hwest
