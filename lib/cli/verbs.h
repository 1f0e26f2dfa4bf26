// The verbs of the program. One row describes each for parsing, help, the manual page, completion and evidence.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cli/cli.h"
#include "cli/flag.h"
#include "cli/options.h"

namespace hwest {

// What verbs are for, in the order of the help page.
inline constexpr absl::string_view kEstimate = "Estimate", kUnderstand = "Understand", kCompare = "Compare",
                                   kImprove = "Improve", kMeasure = "Measure", kLookUp = "Look up";
inline constexpr absl::string_view kPurposes[] = {kEstimate, kUnderstand, kCompare, kImprove, kMeasure, kLookUp};

// How a verb runs: its options, and the function that takes them.
struct VerbRun {
  std::unique_ptr<Options> (*options)() = nullptr;
  // Writes the report; an error ends the command with the exit code of its code. Null: parsing does everything.
  absl::Status (*run)(const Options& options, const Streams& streams) = nullptr;
};

inline absl::Span<const Flag> NoFlags() { return {}; }

struct VerbInfo {
  Verb verb;
  absl::string_view name;
  absl::string_view words;    // placeholders of its words
  absl::string_view purpose;  // of kPurposes
  absl::string_view help;
  size_t min_words = 0;
  size_t max_words = 0;
  size_t files = 0;                        // how many of the first words are paths
  ReportKind report = ReportKind::kError;  // what it writes
  VerbRun runs;
  absl::Span<const Flag> (*flags)() = NoFlags;  // its own, besides shared ones
  absl::string_view examples;                   // commands, a line each
  absl::string_view more;                       // more lines of its help page
};

absl::Span<const VerbInfo> AllVerbs();
const VerbInfo& InfoOf(Verb verb);

std::string PageNames(absl::string_view separator);  // what `describe` shows

}  // namespace hwest
