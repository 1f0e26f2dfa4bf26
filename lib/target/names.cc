#include "target/names.h"

#include <algorithm>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "op/rule.h"
#include "op/schemas.h"
#include "target/kinds.h"
#include "target/patterns.h"
#include "target/read.h"
#include "target/readings.h"

namespace hwest {
namespace {

bool IsBits(absl::string_view text) { return text == "2" || text == "4" || text == "8" || text == "16"; }

template <class Rows, class Text>
std::vector<std::string> TextsOf(const Rows& rows, Text text) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.emplace_back(text(row));
  return texts;
}

bool Has(absl::string_view words, absl::string_view word) {
  const std::vector<absl::string_view> all = absl::StrSplit(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::vector<std::string> OperatorsOf(absl::string_view domain) {
  std::vector<std::string> names;
  for (const OpRule& rule : AllRules()) {
    if (rule.domain == domain) names.emplace_back(rule.op);
  }
  return names;
}

NameProblem Unknown(absl::string_view what, absl::string_view name, const std::vector<std::string>& known,
                    absl::string_view remedy) {
  return {.message = absl::StrCat(what, " '", EscapeControl(name), "' is not known"),
          .remedy = absl::StrCat(DidYouMean(name, known), remedy)};
}

bool NamesEvery(const std::vector<std::string>& ops) {
  return ops.empty() || std::find(ops.begin(), ops.end(), "*") != ops.end();
}

// Attributes of any of `ops`; nullopt where one of them may have any because its schema is unknown.
std::optional<std::vector<std::string>> AttributesOfAny(absl::string_view domain, const std::vector<std::string>& ops) {
  std::vector<std::string> names;
  const auto add = [&names](const AttributeRow& row) {
    for (const absl::string_view name : row.names) names.emplace_back(name);
  };
  if (NamesEvery(ops)) absl::c_for_each(AllAttributes(), add);
  for (const std::string& op : ops) {
    if (op == "*") continue;
    const AttributeRow* row = AttributesOf(domain, op);
    if (row == nullptr) return std::nullopt;
    add(*row);
  }
  return names;
}

std::vector<absl::string_view> SortedOnce(std::vector<absl::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<absl::string_view> AllPicks() {
  std::vector<absl::string_view> picks;
  for (const PatternRow& row : AllPatterns()) {
    for (const absl::string_view pick : absl::StrSplit(row.picks, ' ', absl::SkipEmpty())) picks.push_back(pick);
  }
  return picks;
}

std::vector<absl::string_view> ReadingsOfOperators() {
  std::vector<absl::string_view> names;
  for (const ReadingRow& row : AllReadings()) {
    if (MeansOperator(row)) names.push_back(row.match.name);
  }
  return names;
}

NameProblem CheckListed(absl::string_view what, absl::string_view name, absl::Span<const absl::string_view> names) {
  if (std::binary_search(names.begin(), names.end(), name)) return {};
  return Unknown(what, name, {names.begin(), names.end()}, "`onnx-hwest describe target-format` lists them");
}

}  // namespace

absl::Span<const absl::string_view> FusionNames() {
  static const auto& names = *new std::vector<absl::string_view>(SortedOnce(AllPicks()));
  return names;
}

absl::Span<const absl::string_view> ReadingNames() {
  static const auto& names = *new std::vector<absl::string_view>(SortedOnce(ReadingsOfOperators()));
  return names;
}

const ParamRow* FindParamRow(absl::string_view name) {
  const size_t dot = name.find('.');
  if (dot != absl::string_view::npos && !IsPrecisionName(name.substr(dot + 1))) return nullptr;
  for (const ParamRow& row : AllParams()) {
    if (row.name == name.substr(0, dot)) return &row;
  }
  return nullptr;
}

bool IsFor(const ParamRow& row, UnitKind kind) { return row.kinds.empty() || Has(row.kinds, KindTraitsOf(kind).name); }

std::string DidYouMean(absl::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> nearest = NearestNames(name, known, 3);
  return nearest.empty() ? "" : absl::StrCat("did you mean ", absl::StrJoin(nearest, ", "), "? ");
}

NameProblem CheckOperator(absl::string_view domain, absl::string_view op) {
  if (op == "*" || op == "other" || HasRule(domain, op)) return {};
  const std::vector<std::string> known = OperatorsOf(domain);
  if (known.empty()) return {};
  return Unknown("operator", op, known,
                 domain.empty() ? "`onnx-hwest describe ops` lists them; one of your own that has no domain takes the "
                                  "domain \"ai.onnx\""
                                : "`onnx-hwest describe ops` lists them");
}

NameProblem CheckOperatorAnywhere(absl::string_view op) {
  const auto known = TextsOf(AllRules(), [](const OpRule& rule) { return rule.op; });
  if (std::find(known.begin(), known.end(), op) != known.end()) return {};
  if (DidYouMean(op, known).empty()) return {};  // the user's own
  return Unknown("operator", op, known, "`onnx-hwest describe ops` lists them");
}

NameProblem CheckAttribute(absl::string_view domain, const std::vector<std::string>& ops, absl::string_view attribute) {
  const std::optional<std::vector<std::string>> known = AttributesOfAny(domain, ops);
  if (!known.has_value() || std::find(known->begin(), known->end(), attribute) != known->end()) return {};
  const bool every = NamesEvery(ops);
  const bool one = ops.size() == 1 && !every;
  return {.message = absl::StrCat(one     ? ops[0]
                                  : every ? "no operator"
                                          : "none of these operators",
                                  " has ", one ? "no" : "an", " attribute '", EscapeControl(attribute), "'"),
          .remedy = absl::StrCat(DidYouMean(attribute, *known), "attributes are those of the ONNX operator")};
}

NameProblem CheckFusion(absl::string_view name) { return CheckListed("fusion", name, FusionNames()); }
NameProblem CheckReading(absl::string_view name) { return CheckListed("reading", name, ReadingNames()); }

NameProblem CheckGroupName(absl::string_view name) {
  const NameProblem problem = CheckFusion(name);
  return absl::StartsWith(problem.remedy, "did you mean") ? problem : NameProblem();
}

NameProblem CheckToolchainName(absl::string_view name) {
  const std::vector<std::string> known = ListToolchains();
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  if (is_known || IsPath(name) || DidYouMean(name, known).empty()) return {};
  return Unknown("toolchain", name, known, absl::StrCat("built in are ", absl::StrJoin(known, ", ")));
}

bool IsPrecisionName(absl::string_view text) {
  for (int num = 1; num <= static_cast<int>(Num::kFp4); ++num) {
    if (NumName(static_cast<Num>(num)) == text) return true;
  }
  const size_t a = text.find('a');
  return a != absl::string_view::npos && text[0] == 'w' && IsBits(text.substr(1, a - 1)) && IsBits(text.substr(a + 1));
}

NameProblem CheckParamName(absl::string_view name, UnitKind kind) {
  const ParamRow* row = FindParamRow(name);
  if (row == nullptr) {
    const size_t dot = name.find('.');
    const auto known = TextsOf(AllParams(), [](const ParamRow& param) { return param.name; });
    const bool only_precision = dot != absl::string_view::npos && FindParamRow(name.substr(0, dot)) != nullptr;
    if (only_precision) return Unknown("precision", name.substr(dot + 1), {}, "write fp16, int8, w8a16, ...");
    return Unknown("parameter", name.substr(0, dot), known, "`onnx-hwest describe target-format` lists them");
  }
  if (kind == UnitKind::kUnset || IsFor(*row, kind)) return {};
  const std::vector<absl::string_view> kinds = absl::StrSplit(row->kinds, ' ');
  return {.message = absl::StrCat("parameter '", name, "' is one of ", absl::StrJoin(kinds, " and "), ", this unit is ",
                                  KindTraitsOf(kind).name),
          .remedy = "remove it, or correct `kind`"};
}

}  // namespace hwest
