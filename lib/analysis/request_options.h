// Options of an analysis as texts: what the program, C and Python call each, and what each does with its text. The
// table is written from request.table; the setters stand in request_setters.cc.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/analysis.h"

namespace hwest {

// A request as far as options say it without the model.
struct RequestDraft : AnalysisRequest {
  std::string host;                   // target whose CPU feeds the module that `target` names; empty = its own
  std::vector<std::string> values;    // INPUT=FILE or INPUT=LITERAL, read once the model is known
  std::optional<int64_t> sequence;    // length of what inputs of tokens take
  std::optional<int64_t> image_size;  // height and width of what inputs of images take
  std::optional<int64_t> context;     // tokens in the key/value cache of the step that is analysed
};

// The text that an option is given. `name` is its flag, which the C ABI and Python put into their own words.
struct Given {
  absl::string_view name;
  std::string text;
  absl::string_view source;   // of kFile: what messages call the file
  absl::string_view choices;  // of the option
};

enum class OptionForm : uint8_t {
  kText,
  kFile,    // the text of a file; the flag names the file
  kList,    // set once for each element
  kSwitch,  // set, with an empty text, when it is on
};

// How the text of an option or flag names files.
enum class PathIn : uint8_t {
  kNone,
  kFile,       // it is a path; of a flag that takes a word in place of one, not that word
  kNamedFile,  // so it is, or NAME=FILE
  kFolder,
  kTarget,     // a target's name or file, see IsTargetPath; commas separate several where a flag takes them
  kToolchain,  // [UNIT=]NAME, likewise
  kContents,   // INPUT=FILE or INPUT=LITERAL, see FileOfValue
};

struct RequestOption {
  const char* name;   // in C and Python
  const char* flag;   // null = the program says it by another flag
  const char* value;  // what help calls the flag's value; null = it takes none
  const char* help;
  const char* group;    // of flags, on the help page
  const char* verbs;    // sets of verbs that take the flag, space separated
  const char* choices;  // words it may be, space separated; null = too many to list
  OptionForm form;
  PathIn path;
  absl::Status (*set)(const Given& given, RequestDraft* draft);
  const char* default_text;  // what holds without the flag; null = nothing worth a word
  const char* example;       // a value of the flag; null = `choices` has some
  bool is_rare;              // help lists the flag last
};

absl::Span<const RequestOption> AllRequestOptions();
const RequestOption& RequestOptionNamed(absl::string_view name);  // requires that there is one

// Give sets an option to `text`, or adds it to a list. `source` is the path of a kFile; empty = the option's name.
// Errors: kUsage, naming the option and what to write instead; of a file's own rules.
absl::Status Give(const RequestOption& option, absl::string_view text, RequestDraft* draft,
                  absl::string_view source = "");

// RequestFor completes a draft for `graph`: reads contents of inputs and puts the host beside its module. Errors: of
// AddValue, LoadTarget and UseHost; kUsage for a host without a target.
absl::StatusOr<AnalysisRequest> RequestFor(const RequestDraft& draft, const Graph& graph);

}  // namespace hwest
