// Which values of a target's figures make models fast, frugal or small.
#include "app/explore.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "callbacks.h"
#include "explore/silicon.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

constexpr absl::string_view kSearches[] = {"grid", "anneal"};
static_assert(std::size(kSearches) == kNumEnumerators<SearchBy>);
constexpr absl::string_view kObjectives[] = {"latency", "energy", "edp"};
static_assert(std::size(kObjectives) == kNumEnumerators<ExploreFor>);

// A word by its number; NULL leaves the first one.
template <class Word>
absl::Status ChooseWord(absl::string_view option, const char* text, absl::Span<const absl::string_view> words,
                        Word* chosen) {
  if (text == nullptr) return absl::OkStatus();
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != text) continue;
    *chosen = static_cast<Word>(i);
    return absl::OkStatus();
  }
  return MakeError(Code::kUsage, absl::StrCat(option, " is \"", text, "\""),
                   absl::StrCat("use one of: ", absl::StrJoin(words, ", ")), {option});
}

absl::Status AddVary(const std::string& text, Vary* vary) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return MakeError(Code::kUsage, absl::StrCat("explore.vary holds \"", text, "\""),
                     "write PATH=VALUES, e.g. npu.clock=0.5GHz:2GHz:x2", {"explore.vary"});
  }
  vary->emplace_back(text.substr(0, equals), text.substr(equals + 1));
  return absl::OkStatus();
}

absl::StatusOr<app::ExploreFiles> FilesOf(const hwest_explore_options& explore, const hwest_options& options) {
  app::ExploreFiles files{.target = "", .models = TextsOf(explore.models)};
  HWEST_ASSIGN_OR_RETURN(files.base, DraftOf(options));
  files.target = files.base.target;
  files.how.loaded = files.base.loaded;
  if (files.target.empty() && files.how.loaded == nullptr) {
    return MakeError(Code::kUsage, "no target was named", "set options.target", {"options.target"});
  }
  for (const std::string& text : TextsOf(explore.vary)) HWEST_RETURN_IF_ERROR(AddVary(text, &files.how.vary));
  HWEST_RETURN_IF_ERROR(ChooseWord("explore.objective", explore.objective, kObjectives, &files.how.objective));
  HWEST_RETURN_IF_ERROR(ChooseWord("explore.search", explore.search, kSearches, &files.how.search));
  files.how.constraint = explore.constraint != nullptr ? explore.constraint : "";
  if (explore.budget < 0) return BadOption("explore.budget", explore.budget, "give 0 or more");
  if (explore.budget > 0) files.how.budget = static_cast<size_t>(explore.budget);
  if (explore.process_nm != 0) {
    if (!(explore.process_nm >= kLeastProcess && explore.process_nm <= kMostProcess)) {
      return MakeError(Code::kUsage, absl::StrCat("explore.process_nm is ", explore.process_nm),
                       absl::StrCat("give nanometres from ", kLeastProcess, " to ", kMostProcess, ", or 0"),
                       {"explore.process_nm"});
    }
    files.how.process_nm = explore.process_nm;
  }
  files.how.watch = WatchOf(options.progress, options.progress_payload, options.cancel);
  return files;
}

absl::Status ExploreInto(const hwest_explore_options* explore, const hwest_options* options,
                         const hwest_report_options* form, hwest_buffer** report, hwest_buffer** best) {
  HWEST_ASSIGN_OR_RETURN(const hwest_explore_options asked, CopyIn("explore", explore));
  HWEST_ASSIGN_OR_RETURN(const hwest_options shared, CopyIn("options", options));
  HWEST_ASSIGN_OR_RETURN(const hwest_report_options written, CopyIn("form", form));
  HWEST_ASSIGN_OR_RETURN(const ReportRequest request, ReportRequestOf(written));
  HWEST_ASSIGN_OR_RETURN(app::ExploreFiles files, FilesOf(asked, shared));
  HWEST_ASSIGN_OR_RETURN(const Exploration found, app::Explore(std::move(files)));
  auto buffer = std::make_unique<hwest_buffer>();
  HWEST_RETURN_IF_ERROR(WriteExploration(found, request.options, [&](absl::string_view part) {
    buffer->bytes.append(part.data(), part.size());
    return absl::OkStatus();
  }));
  if (best != nullptr) {
    *best = nullptr;
    absl::StatusOr<std::string> text = app::BestTargetFile(found, asked.output != nullptr ? asked.output : "best");
    if (text.ok()) *best = new hwest_buffer{*std::move(text)};
  }
  *report = buffer.release();
  return absl::OkStatus();
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_explore(const hwest_explore_options* explore, const hwest_options* options,
                           const hwest_report_options* form, hwest_buffer** report, hwest_buffer** best) {
  return Guard([&]() -> absl::Status {
    if (explore == nullptr) return NullArgument("explore");
    if (report == nullptr) return NullArgument("report");
    return hwest::capi::ExploreInto(explore, options, form, report, best);
  });
}
