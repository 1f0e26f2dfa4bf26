#include "cost/figures_class.h"

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace hwest {
namespace {

using Named = std::pair<std::string, Precision>;

// How far the figures of one precision are from another: as for rates, a wider type is nearer than a narrower one.
std::tuple<bool, bool, int, int> Distance(Precision from, Precision to) {
  const int more = NumBits(from.act) - NumBits(to.act);
  return {IsFloating(from.act) != IsFloating(to.act), more < 0, std::abs(more),
          std::abs(NumBits(from.weight) - NumBits(to.weight))};
}

// What the unit may be asked to run, by name.
std::vector<Named> PrecisionsByName(const Unit& unit) {
  std::vector<Named> precisions;
  for (const Rate& rate : unit.rates) {
    if (rate.work != WorkKind::kContraction) continue;
    for (const Num weight : {rate.act, Num::kInt8, Num::kInt4}) {
      const Precision precision{rate.act, weight};
      if (NumBits(weight) <= NumBits(rate.act)) precisions.emplace_back(PrecisionName(precision), precision);
    }
  }
  return precisions;
}

// Parameters that are no times: how far figures are to be trusted, and how tensors lie in memory.
bool IsTimed(const Param& param) {
  return absl::c_none_of(std::initializer_list<absl::string_view>{"interval_ln", "weight_input_block",
                                                                  "weight_output_block", "tile_chain"},
                         [&](absl::string_view name) { return absl::StartsWith(param.name, name); });
}

// The class behind the dot of a figure's name; empty for what holds for all, and for what is no time.
absl::string_view ClassOfParam(const Param& param) {
  const size_t dot = param.name.find('.');
  if (dot == std::string::npos || !param.fact.known() || !IsTimed(param)) return "";
  return absl::string_view(param.name).substr(dot + 1);
}

// What a file states of one precision is meant for that one; what was measured tells of its neighbours, too. Values
// that a running fit tries count no measurements yet: a fit of one precision must not bend to parts of plans at
// another.
absl::string_view FittedClass(const Param& param) {
  const bool is_measured = param.fact.fit.has_value() && param.fact.fit->count > 0;
  return is_measured ? ClassOfParam(param) : "";
}

}  // namespace

bool IsFloating(Num num) {
  return num == Num::kFp32 || num == Num::kTf32 || num == Num::kFp16 || num == Num::kBf16 || num == Num::kFp8 ||
         num == Num::kFp4;
}

std::string FiguresClass(const Unit& unit, Precision precision) {
  std::string own = PrecisionName(precision);
  for (const Param& param : unit.params) {
    if (ClassOfParam(param) == own) return own;
  }
  std::vector<Named> all;
  const Named* nearest = nullptr;
  for (const Param& param : unit.params) {
    const absl::string_view name = FittedClass(param);
    if (name.empty() || (nearest != nullptr && nearest->first == name)) continue;
    if (all.empty()) all = PrecisionsByName(unit);
    for (const Named& row : all) {
      if (row.first != name) continue;
      if (nearest == nullptr || Distance(row.second, precision) < Distance(nearest->second, precision)) nearest = &row;
      break;
    }
  }
  return nearest == nullptr ? own : nearest->first;
}

}  // namespace hwest
