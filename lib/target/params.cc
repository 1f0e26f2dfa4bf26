#include "target/params.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "target/kinds.h"

namespace hwest {
namespace {

bool IsNamed(absl::string_view name, absl::string_view param) {
  return absl::StartsWith(name, param) && (name.size() == param.size() || name[param.size()] == '.');
}

std::string PlainText(const ParamRow& row, UnitKind kind) {
  if (!row.absent_as.empty()) return std::string(row.absent_as);
  if (!row.absent_means.empty()) return std::string(row.absent_means);
  return absl::StrCat(DefaultOf(row, kind));
}

// What a unit computes with: ParamAt of lib/cost at no precision in particular.
double ValueOf(const Unit& unit, const ParamRow& row) {
  const std::optional<double> stated = ParamOf(unit, row.name);
  if (stated.has_value() || row.absent_as.empty()) return stated.value_or(DefaultOf(row, unit.kind));
  return ValueOf(unit, *FindParamRow(row.absent_as));
}

ParamInEffect RowOf(const Unit& unit, const ParamRow& row, absl::string_view name) {
  return {.path = absl::StrCat("unit/", unit.name, "/param/", name),
          .set = absl::StrCat(unit.name, ".", name),
          .measure = std::string(MeasureOf(row.name)),
          .min = row.min,
          .max = row.max,
          .default_text = DefaultText(row, unit.kind),
          .meaning = std::string(row.meaning)};
}

void AddParam(const Unit& unit, const ParamRow& row, std::vector<ParamInEffect>* rows) {
  for (const Param& param : unit.params) {
    if (!IsNamed(param.name, row.name) || !param.fact.known()) continue;
    rows->push_back(RowOf(unit, row, param.name));
    rows->back().value = *param.fact.value();
  }
  if (States(unit, row.name)) return;
  rows->push_back(RowOf(unit, row, row.name));
  rows->back().value = ValueOf(unit, row);
  rows->back().is_default = true;
  if (!row.absent_means.empty() || !row.absent_as.empty()) rows->back().words = PlainText(row, unit.kind);
}

}  // namespace

double DefaultOf(const ParamRow& row, UnitKind kind) {
  for (const ParamDefault& own : KindTraitsOf(kind).defaults) {
    if (own.param == row.name) return own.value;
  }
  return row.absent;
}

std::string DefaultText(const ParamRow& row, UnitKind kind) {
  if (kind != UnitKind::kUnset) return PlainText(row, kind);
  std::vector<std::string> texts;
  bool differs = false;
  for (size_t k = 1; k < kNumEnumerators<UnitKind>; ++k) {
    const auto one = static_cast<UnitKind>(k);
    if (!IsFor(row, one)) continue;
    const std::string text = PlainText(row, one);
    differs = differs || (!texts.empty() && !absl::StartsWith(texts.front(), absl::StrCat(text, " on ")));
    texts.push_back(absl::StrCat(text, " on ", KindTraitsOf(one).name));
  }
  return differs ? absl::StrJoin(texts, ", ") : PlainText(row, UnitKind::kUnset);
}

bool States(const Unit& unit, absl::string_view param) {
  return std::any_of(unit.params.begin(), unit.params.end(),
                     [&](const Param& row) { return IsNamed(row.name, param) && row.fact.known(); });
}

bool LeavesToDefaults(const Unit& unit) {
  const absl::Span<const ParamRow> rows = AllParams();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const ParamRow& row) { return row.decides && !States(unit, row.name); });
}

std::vector<ParamInEffect> ParamsOf(const Target& target) {
  std::vector<ParamInEffect> rows;
  for (const Unit& unit : target.units) {
    if (!unit.placeable) continue;
    for (const ParamRow& row : AllParams()) {
      if (IsFor(row, unit.kind)) AddParam(unit, row, &rows);
    }
  }
  return rows;
}

}  // namespace hwest
