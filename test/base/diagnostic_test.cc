#include "hwest/diagnostic.h"

#include <set>
#include <string>
#include <vector>

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("each code has one row with a snake_case id of its own") {
  std::set<std::string> ids;
  for (size_t i = 0; i < AllCodes().size(); ++i) {
    const CodeInfo& row = AllCodes()[i];
    INFO(row.id);
    CHECK(static_cast<size_t>(row.code) == i);
    CHECK(InfoOf(row.code).id == row.id);
    CHECK(ids.insert(std::string(row.id)).second);
    CHECK(row.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == absl::string_view::npos);
    CHECK_FALSE(row.meaning.empty());
    if (row.severity == Severity::kError) CHECK(row.exit_code != 0);
    if (row.severity == Severity::kNote) CHECK(row.exit_code == 0);
  }
}

TEST_CASE("exit codes are those of the command line contract") {
  struct Case {
    Code code;
    int exit_code;
  };
  for (const Case& c : {Case{Code::kInternal, 1},
                        {Code::kUsage, 2},
                        {Code::kModelMissing, 3},
                        {Code::kModelFormat, 3},
                        {Code::kModelCorrupt, 3},
                        {Code::kModelRefused, 3},
                        {Code::kTargetUnknown, 4},
                        {Code::kTargetInvalid, 4},
                        {Code::kFreeDims, 5},
                        {Code::kOutputUnwritable, 6},
                        {Code::kIncomplete, 7},
                        {Code::kCheckFailed, 8},
                        {Code::kInterrupted, 130}}) {
    INFO(InfoOf(c.code).id);
    CHECK(InfoOf(c.code).exit_code == c.exit_code);
  }
}

TEST_CASE("a diagnostic survives the way through a Status") {
  for (const CodeInfo& row : AllCodes()) {
    const absl::Status status = MakeError(row.code, "axis 3: out of range\nrank 2", "fix the model");
    CHECK_FALSE(status.ok());
    CHECK(status.message() == "axis 3: out of range\nrank 2: fix the model");
    const Diagnostic back = DiagnosticOf(status);
    CHECK(back.code == row.code);
    CHECK(back.message == "axis 3: out of range\nrank 2");
    CHECK(back.remedy == "fix the model");
  }
  CHECK(MakeError(Code::kUsage, "what", "").message() == "what");
}

TEST_CASE("a message carries the options that it names") {
  const std::vector<NamedOption> options = {
      "--batch", {"--dim", {"batch=1", "a:b\n=2"}}, "`onnx-hwest targets`", {"analyze --context", {"512"}}};
  const std::vector<NamedOption> back = DiagnosticOf(MakeError(Code::kUsage, "what", "remedy", options)).options;
  REQUIRE(back.size() == options.size());
  for (size_t i = 0; i < back.size(); ++i) {
    CHECK(back[i].flag == options[i].flag);
    CHECK(back[i].values == options[i].values);
  }
  CHECK(DiagnosticOf(MakeError(Code::kUsage, "what", "remedy")).options.empty());
}

TEST_CASE("an option stands in a message as the command line has it") {
  struct Case {
    NamedOption option;
    const char* text;
  };
  for (const Case& c : {Case{"--batch", "--batch"},
                        {{"--dim", {"batch=1", "seq=128"}}, "--dim batch=1 --dim seq=128"},
                        {{"--value", {"x=[1,2]"}}, "--value 'x=[1,2]'"},
                        {{"--assume", {"Conv@cpu"}}, "--assume Conv@cpu"},
                        {{"--dim", {"it's=1"}}, "--dim 'it'\\''s=1'"},
                        {"analyze --context", "--context"},
                        {"`onnx-hwest targets`", "`onnx-hwest targets`"}}) {
    CHECK(c.option.text() == c.text);
  }
}

TEST_CASE("a Status from elsewhere is an internal error") {
  const Diagnostic diagnostic = DiagnosticOf(absl::NotFoundError("gone"));
  CHECK(diagnostic.code == Code::kInternal);
  CHECK(diagnostic.message == "gone");
  CHECK_FALSE(diagnostic.remedy.empty());
}

}  // namespace
}  // namespace hwest
