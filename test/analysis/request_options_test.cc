// Options of an analysis as texts, from any interface.
#include "analysis/request_options.h"

#include <set>
#include <string>

#include "absl/strings/str_split.h"
#include "support/catch.h"

namespace hwest {
namespace {

absl::Status GiveTo(RequestDraft* draft, const char* option, const char* text) {
  return Give(RequestOptionNamed(option), text, draft);
}

TEST_CASE("each option and each flag is there once, and flags have their place on the help page") {
  std::set<std::string> seen;
  for (const RequestOption& option : AllRequestOptions()) {
    INFO(option.name);
    CHECK(seen.insert(option.name).second);
    CHECK(option.help != nullptr);
    if (option.flag == nullptr) continue;
    CHECK(seen.insert(option.flag).second);
    CHECK(option.group != nullptr);
    CHECK((option.value == nullptr) == (option.form == OptionForm::kSwitch));
  }
}

TEST_CASE("words outside a closed list are refused") {
  for (const RequestOption& option : AllRequestOptions()) {
    if (option.choices == nullptr) continue;
    INFO(option.name);
    RequestDraft draft;
    CHECK(!Give(option, "nonsense", &draft).ok());
    for (const absl::string_view word : absl::StrSplit(option.choices, ' ')) CHECK(Give(option, word, &draft).ok());
  }
}

TEST_CASE("texts become the request") {
  RequestDraft draft;
  REQUIRE(GiveTo(&draft, "dims", "batch=4").ok());
  REQUIRE(GiveTo(&draft, "dims", "x.0=2").ok());
  CHECK(draft.bind.dims == std::vector<std::pair<std::string, int64_t>>{{"batch", 4}, {"x.0", 2}});
  REQUIRE(GiveTo(&draft, "only", "gpu,dla0").ok());
  REQUIRE(GiveTo(&draft, "only", "cpu").ok());
  CHECK(draft.only == std::vector<std::string>{"gpu", "dla0", "cpu"});
  REQUIRE(GiveTo(&draft, "overlap", "").ok());
  CHECK(draft.overlap == Overlap::kYes);
  REQUIRE(GiveTo(&draft, "power_cap_w", "12.5").ok());
  CHECK(draft.power_cap_w == 12.5);
  REQUIRE(GiveTo(&draft, "toolchains", "gpu=pytorch-eager").ok());
  CHECK(draft.toolchains[0].second == "pytorch-eager");
  REQUIRE(GiveTo(&draft, "host", "raspberry-pi-5").ok());
  CHECK(draft.host == "raspberry-pi-5");
}

TEST_CASE("errors name the flag, the file, or the member that has no flag") {
  struct Case {
    const char* option;
    const char* text;
    const char* message;
    const char* remedy;
  };
  const auto c = GENERATE(values<Case>({
      {"batch", "-3", "--batch cannot be '-3'", "at least 1"},
      {"deny", "Conv", "--deny cannot be 'Conv'", "--deny WHAT@UNIT"},
      {"shapes", "1x", "--shape cannot be '1x'", "--shape INPUT=1x128"},
      {"fusions", "all", "options.fusions cannot be 'all'", "none"},
      {"op_rules", "nonsense", "op-rules", ""},
  }));
  RequestDraft draft;
  const Diagnostic error = DiagnosticOf(GiveTo(&draft, c.option, c.text));
  CHECK_THAT(error.message, Catch::Contains(c.message));
  CHECK_THAT(error.remedy, Catch::Contains(c.remedy));
}

}  // namespace
}  // namespace hwest
