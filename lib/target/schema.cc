#include "target/schema.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "target/language.h"
#include "target/limit.h"
#include "target/names.h"
#include "target/params.h"
#include "target/plausible.h"

namespace hwest {

extern const char kTargetProto[];    // the text of target.proto
extern const char kExampleTarget[];  // and of example.textproto

namespace {

namespace fs = std::filesystem;

// The file that contains this code: the program or the shared library.
fs::path OwnFile() {
  std::error_code error;
  Dl_info info;
  if (dladdr(kTargetProto, &info) != 0 && info.dli_fname != nullptr && absl::StrContains(info.dli_fname, ".so")) {
    return fs::canonical(info.dli_fname, error);
  }
  return fs::read_symlink("/proc/self/exe", error);
}

// Reads the text of target.proto, which has one declaration a line, with its comment above or after it.
class ProtoReader {
 public:
  std::vector<FormatRow> Run() {
    for (absl::string_view line : absl::StrSplit(absl::string_view(kTargetProto), '\n')) ReadLine(line);
    return std::move(rows_);
  }

 private:
  void ReadLine(absl::string_view line) {
    const size_t slashes = line.find("//");
    const absl::string_view code = absl::StripAsciiWhitespace(line.substr(0, slashes));
    const absl::string_view comment =
        slashes == absl::string_view::npos ? "" : absl::StripAsciiWhitespace(line.substr(slashes + 2));
    if (code.empty()) {
      above_ = comment.empty() ? "" : absl::StrCat(above_, above_.empty() ? "" : " ", comment);
      return;
    }
    ReadDeclaration(absl::StrSplit(code, absl::ByAnyChar(" ;"), absl::SkipEmpty()),
                    above_.empty() ? std::string(comment) : above_);
    above_.clear();
  }

  void ReadDeclaration(const std::vector<std::string>& words, const std::string& comment) {
    if (words[0] == "message" || words[0] == "enum") {
      in_ = words[1];
      rows_.push_back({.in = in_, .meaning = comment});
    } else if (words[0] == "}") {
      in_.clear();
    } else if (!in_.empty() && words[0] != "reserved" && !absl::EndsWith(words[0], "_UNSET")) {
      AddMember(words, comment);
    }
  }

  // "optional TYPE NAME = N" of a message, "NAME = N" of an enum.
  void AddMember(const std::vector<std::string>& words, const std::string& comment) {
    const size_t equals = static_cast<size_t>(std::find(words.begin(), words.end(), "=") - words.begin());
    FormatRow row{.in = in_, .name = words[equals - 1], .meaning = comment};
    if (equals > 1) row.type = absl::StrCat(words[0] == "repeated" ? "repeated " : "", words[equals - 2]);
    if (row.type == "Fact") AddMeasure(&row);
    rows_.push_back(std::move(row));
  }

  static void AddMeasure(FormatRow* row) {
    row->measure = std::string(MeasureOf(row->name));
    const PlausibleRow* range = FindPlausible(row->name);
    if (range != nullptr) row->range = absl::StrCat(range->or_zero ? "0 or " : "", range->min, " to ", range->max);
  }

  std::string in_;     // the current message or enum
  std::string above_;  // the comment so far
  std::vector<FormatRow> rows_;
};

// The rows of a message, then those of the messages and enums that its fields use, each once.
class InReadingOrder {
 public:
  explicit InReadingOrder(std::vector<FormatRow> rows) : rows_(std::move(rows)) {}

  void Add(const std::string& in) {
    if (!added_.insert(in).second) return;
    std::vector<std::string> types;
    for (const FormatRow& row : rows_) {
      if (row.in != in) continue;
      ordered_.push_back(row);
      types.emplace_back(absl::StripPrefix(row.type, "repeated "));
    }
    for (const std::string& type : types) Add(type);
  }
  std::vector<FormatRow> Take() && { return std::move(ordered_); }

 private:
  const std::vector<FormatRow> rows_;
  std::set<std::string> added_;
  std::vector<FormatRow> ordered_;
};

void AddParams(std::vector<FormatRow>* rows) {
  rows->push_back({.in = "param",
                   .meaning = "names of Param, by the kinds of unit that have them. A precision behind a dot "
                              "(\"compute_efficiency.int8\") holds for work at that precision in place of the plain "
                              "name; what is fitted at one "
                              "holds for precisions nearest to it that have no figures of their own, too"});
  for (const ParamRow& row : AllParams()) {
    rows->push_back({.in = "param",
                     .name = std::string(row.name),
                     .type = row.kinds.empty() ? "every kind" : std::string(row.kinds),
                     .measure = std::string(MeasureOf(row.name)),
                     .range = absl::StrCat(row.min, " to ", row.max),
                     .meaning = absl::StrCat(row.meaning, "; default ", DefaultText(row, UnitKind::kUnset))});
  }
}

void AddConstants(std::vector<FormatRow>* rows) {
  rows->push_back({.in = "language",
                   .meaning =
                       "constants of the laws of language models, in `constant` of a toolchain's `language` or of "
                       "a target's `runtime`, which goes first. A weight format behind a dot "
                       "(\"prompt_efficiency.w4a16\") holds for it in place of the plain name"});
  for (const ParamRow& row : LanguageConstants()) {
    const std::string absent = !row.absent_as.empty()      ? std::string(row.absent_as)
                               : !row.absent_means.empty() ? std::string(row.absent_means)
                                                           : absl::StrCat(row.absent);
    rows->push_back({.in = "language",
                     .name = std::string(row.name),
                     .type = "every runtime",
                     .measure = std::string(MeasureOf(row.name)),
                     .range = absl::StrCat(row.min, " to ", row.max),
                     .meaning = absl::StrCat(row.meaning, "; default ", absent)});
  }
}

void AddLimits(std::vector<FormatRow>* rows) {
  rows->push_back(
      {.in = "limit",
       .meaning = "texts of Limit.of. I is an input; negative I counts outputs: -1 is output 0, -2 output 1"});
  for (const LimitText& row : LimitTexts()) {
    rows->push_back({.in = "limit", .name = std::string(row.text), .meaning = std::string(row.meaning)});
  }
}

}  // namespace

std::string SchemaName() {
  const fs::path own = OwnFile();
  std::error_code error;
  for (fs::path folder = own.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path path = folder / "share" / "onnx-hwest" / "target.proto";
    if (fs::exists(path, error)) return path.string();
  }
  return "target.proto (`onnx-hwest describe target-format`)";
}

std::vector<FormatRow> TargetFormat() {
  InReadingOrder order(ProtoReader().Run());
  order.Add("Target");
  order.Add("Toolchain");
  std::vector<FormatRow> rows = std::move(order).Take();
  AddParams(&rows);
  AddConstants(&rows);
  AddLimits(&rows);
  rows.push_back({.in = "fusion", .meaning = "names of Pick.pattern; `onnx-hwest fusions` shows what each matches"});
  for (const absl::string_view name : FusionNames()) rows.push_back({.in = "fusion", .name = std::string(name)});
  rows.push_back(
      {.in = "reading", .meaning = "names of Keep.reading; `onnx-hwest explain` shows what a node is read as"});
  for (const absl::string_view name : ReadingNames()) rows.push_back({.in = "reading", .name = std::string(name)});
  return rows;
}

absl::string_view ExampleTarget() { return kExampleTarget; }

}  // namespace hwest
