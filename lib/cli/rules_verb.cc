// rules lint FILE, rules test FILE: what is wrong with rules of the user's, and whether they compute the same.
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "app/rules.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

constexpr size_t kMostRulesBytes = 1 << 20;

absl::StatusOr<std::string> ReadRules(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostRulesBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && file.gcount() == 0 && !file.eof()) {
    return MakeError(Code::kUsage, absl::StrCat("cannot read ", EscapeControl(path)), "name a file of rules");
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostRulesBytes) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), " is larger than 1 MiB"), "split the file");
  }
  return text;
}

}  // namespace

absl::Status RunRulesVerb(const RulesVerbOptions& options, const Streams& streams) {
  const std::string& what = options.words[0];
  if ((what != "lint" && what != "test") || options.words.size() != 2) {
    return MakeError(Code::kUsage, absl::StrCat("`rules ", EscapeControl(what), "` is not complete or not known"),
                     "write onnx-hwest rules lint FILE or rules test FILE");
  }
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kRules, options.report.format));
  app::RulesRequest request{.text = "", .file = options.words[1], .run = what == "test", .runs = options.runs};
  HWEST_ASSIGN_OR_RETURN(request.text, ReadRules(request.file));
  HWEST_ASSIGN_OR_RETURN(const std::vector<RuleTrial> trials, app::TryRules(request));
  HWEST_RETURN_IF_ERROR(Deliver(
      options, streams, [&](Sink sink) { return WriteRuleTrials(trials, request.file, options.report, sink); }));
  return AfterReport(app::StatusOf(trials));
}

namespace {

// clang-format off: a paragraph a flag
constexpr Flag kRulesFlags[] = {
    {.name = "--runs", .value = "N", .help = "of `rules test`: sets of random inputs, for constants of either sign",
     .group = "Rewrite", .set = SetNumber<1, &RulesVerbOptions::runs>, .default_text = "3", .example = "10"},
};
// clang-format on

}  // namespace

absl::Span<const Flag> RulesFlags() { return kRulesFlags; }

}  // namespace hwest
