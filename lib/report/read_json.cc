#include "report/read_json.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/bounded_read.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostNesting = 64;

// Builds cells as the parser meets their parts.
class CellBuilder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Put(Cell()); }
  bool boolean(bool truth) override { return Put(Cell(truth)); }
  bool number_integer(number_integer_t number) override { return Put(Cell(number)); }
  bool number_unsigned(number_unsigned_t number) override {
    return Put(number <= INT64_MAX ? Cell(static_cast<int64_t>(number)) : Cell(static_cast<double>(number)));
  }
  bool number_float(number_float_t number, const string_t&) override { return Put(Cell(number)); }
  bool string(string_t& text) override { return Put(Cell(std::move(text))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Begin(Cell::OfObject()); }
  bool start_array(size_t) override { return Begin(Cell::OfList()); }
  bool end_object() override { return HasDistinctKeys(open_.back().cell) && End(); }
  bool end_array() override { return End(); }
  bool key(string_t& text) override {
    open_.back().key = std::move(text);
    return true;
  }
  bool parse_error(size_t, const std::string&, const Json::exception& error) override {
    // "[json.exception...] parse error at line 1, column 2: ..."; the words before are the library's own.
    problem_ = error.what();
    const size_t line = problem_.find("line ");
    if (line != std::string::npos) problem_.erase(0, line);
    return false;
  }

  const std::string& problem() const { return problem_; }
  Cell Take() { return std::move(whole_); }

 private:
  struct Open {
    Cell cell;
    std::string key;
  };

  bool Put(Cell cell) {
    if (open_.empty()) {
      whole_ = std::move(cell);
    } else if (open_.back().cell.list() != nullptr) {
      open_.back().cell.push_back(std::move(cell));
    } else {
      open_.back().cell.Set(std::move(open_.back().key), std::move(cell));
    }
    return true;
  }
  // Of members with the same name, some readers take the first and others the last.
  bool HasDistinctKeys(const Cell& object) {
    std::vector<absl::string_view> keys;
    for (const auto& [key, value] : *object.object()) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice == keys.end()) return true;
    problem_ = absl::StrCat("an object states '", *twice, "' twice");
    return false;
  }
  bool Begin(Cell cell) {
    if (open_.size() == kMostNesting) {
      problem_ = absl::StrCat("it is nested deeper than ", kMostNesting);
      return false;
    }
    open_.push_back({std::move(cell), ""});
    return true;
  }
  bool End() {
    Cell cell = std::move(open_.back().cell);
    open_.pop_back();
    return Put(std::move(cell));
  }

  std::vector<Open> open_;
  Cell whole_;
  std::string problem_;
};

}  // namespace

absl::StatusOr<Cell> ReadJson(absl::string_view text) {
  CellBuilder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.Take();
  return MakeError(Code::kUsage, absl::StrCat("that is no JSON: ", EscapeControl(builder.problem())),
                   "name a document that was saved whole");
}

const Cell* FindMember(const Cell& cell, absl::string_view key) {
  if (cell.object() == nullptr) return nullptr;
  for (const auto& [name, value] : *cell.object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string TextMember(const Cell& cell, absl::string_view key) {
  const Cell* member = FindMember(cell, key);
  return member != nullptr && member->text() != nullptr ? *member->text() : "";
}

std::optional<double> FigureMember(const Cell& cell, absl::string_view key) {
  const Cell* member = FindMember(cell, key);
  return member != nullptr && member->is_number() ? std::optional<double>(member->figure()) : std::nullopt;
}

void ReadMember(const Cell& cell, absl::string_view key, std::string* to) {
  const Cell* member = FindMember(cell, key);
  if (member != nullptr && member->text() != nullptr) *to = *member->text();
}

void ReadMember(const Cell& cell, absl::string_view key, bool* to) {
  const Cell* member = FindMember(cell, key);
  if (member != nullptr && member->truth() != nullptr) *to = *member->truth();
}

void ReadMember(const Cell& cell, absl::string_view key, Count* to) {
  const Cell* member = FindMember(cell, key);
  if (member != nullptr && member->number() != nullptr) *to = *member->number();
}

void ReadMember(const Cell& cell, absl::string_view key, std::optional<std::string>* to) {
  const Cell* member = FindMember(cell, key);
  if (member != nullptr && member->text() != nullptr) *to = *member->text();
}

void ReadMember(const Cell& cell, absl::string_view key, std::optional<bool>* to) {
  const Cell* member = FindMember(cell, key);
  if (member != nullptr && member->truth() != nullptr) *to = *member->truth();
}

void ReadMember(const Cell& cell, absl::string_view key, std::optional<int64_t>* to) {
  const Cell* member = FindMember(cell, key);
  if (member != nullptr && member->number() != nullptr) *to = *member->number();
}

void ReadMember(const Cell& cell, absl::string_view key, std::optional<double>* to) {
  if (const std::optional<double> figure = FigureMember(cell, key)) to->emplace(*figure);
}

const Cell::List& ListMember(const Cell& cell, absl::string_view key) {
  static const auto* const none = new Cell::List();
  const Cell* member = FindMember(cell, key);
  return member != nullptr && member->list() != nullptr ? *member->list() : *none;
}

absl::StatusOr<Cell> ReadSavedAnalysis(const std::string& path) { return ReadSavedDocument(path, {"analysis"}); }

absl::StatusOr<Cell> ReadSavedDocument(const std::string& path, std::initializer_list<absl::string_view> kinds) {
  constexpr char kRemedy[] = "save one with onnx-hwest MODEL --target T --json --output FILE";
  const auto unreadable = [&](absl::string_view why) {
    return MakeError(Code::kUsage, absl::StrCat("cannot read the saved report ", EscapeControl(path), why), kRemedy);
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable("");
  const std::optional<std::string> text = ReadAtMost(file, kMaxSavedBytes);
  if (!text.has_value()) return unreadable(", it is above 256 MiB");
  absl::StatusOr<Cell> report = ReadJson(*text);
  if (!report.ok()) return unreadable(absl::StrCat(", ", DiagnosticOf(report.status()).message));
  if (std::find(kinds.begin(), kinds.end(), TextMember(*report, "kind")) != kinds.end()) return report;
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), " is no saved report of an analysis"), kRemedy);
}

bool CoversAll(const Cell& report, absl::string_view how) {
  const Cell* coverage = FindMember(report, "coverage");
  if (coverage == nullptr) return false;
  const std::optional<double> nodes = FigureMember(*coverage, "nodes");
  return nodes.has_value() && FigureMember(*coverage, how) == nodes;
}

}  // namespace hwest
