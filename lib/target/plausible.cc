#include "target/plausible.h"

#include <iterator>

#include "absl/strings/str_cat.h"
#include "target/language.h"
#include "target/names.h"
#include "target/walk.h"

namespace hwest {
namespace {

// A slow 8-bit microcontroller runs at about 20 MHz, no logic above 10 GHz; the on-chip memory of a data centre's GPU
// moves about 30 TB/s; a multiplication takes from 0.05 pJ (4 bit, 3 nm) to about 100 pJ (fp32, a general purpose core;
// an exponential 2 nJ), a byte of DRAM up to 200 pJ, a byte over a network a few nJ.
constexpr PlausibleRow kRanges[] = {
    {"clock_hz", 1e7, 1e10},
    {"bytes_per_s", 1e6, 2e14},
    {"capacity_bytes", 128, 1e13},
    {"usable_bytes", 128, 1e13},
    {"latency_s", 1e-10, 1e-2, true},
    {"launch_s", 1e-9, 1e-2, true},
    {"invoke_s", 1e-9, 1, true},
    {"switch_s", 1e-9, 1, true},
    {"per_cycle", 1e-3, 1e7},
    {"sparse_per_cycle", 1e-3, 1e7},
    {"vector_bytes", 1, 8192},
    {"energy_j", 1e-15, 1e-8},
    {"energy_j_per_byte", 1e-15, 1e-8},
    {"static_w", 1e-6, 2e3, true},
    {"idle_w", 1e-6, 2e3, true},
    {"slot_bytes_per_s", 1e7, 1e12},
    {"cap_w", 1e-2, 5e3},
    {"pixels_per_s", 1e6, 1e11, true},
};

void Warn(const std::string& path, double value, absl::string_view what, double min, double max,
          std::vector<LintProblem>* rows) {
  rows->push_back({.path = path,
                   .message = absl::StrCat(value, " is not credible: ", what, " is ", min, " to ", max),
                   .remedy = "check the unit of measure and the power of ten",
                   .severity = Severity::kWarning});
}

std::optional<double> ValueOf(const proto::Fact& fact) {
  if (fact.has_fit()) return fact.fit().value();
  if (fact.has_value()) return fact.value();
  return std::nullopt;
}

void CheckFigure(const WalkStep& step, std::vector<LintProblem>* rows) {
  const std::optional<double> value = ValueOf(static_cast<const proto::Fact&>(*step.message));
  const PlausibleRow* row = FindPlausible(step.field->name());
  if (!value.has_value() || row == nullptr || (row->or_zero && *value == 0)) return;
  if (*value < row->min || *value > row->max) Warn(PathOf(step), *value, row->field, row->min, row->max, rows);
}

void CheckParamValue(const WalkStep& step, std::vector<LintProblem>* rows) {
  const auto& param = static_cast<const proto::Param&>(*step.message);
  const std::optional<double> value = ValueOf(param.fact());
  const bool of_unit = step.parent->type->name() == "Unit";
  const ParamRow* row = of_unit ? FindParamRow(param.name()) : FindLanguageConstant(param.name());
  if (!value.has_value() || row == nullptr) return;
  if (*value < row->min || *value > row->max) Warn(PathOf(step), *value, row->name, row->min, row->max, rows);
}

void CheckPeaks(const proto::Unit& unit, std::vector<LintProblem>* rows) {
  const std::optional<double> clock = ValueOf(unit.clock_hz());
  if (!clock.has_value()) return;
  const double engines = static_cast<double>(unit.has_cores() ? unit.cores() : 1) *
                         static_cast<double>(unit.has_instances() ? unit.instances() : 1);
  for (const proto::Rate& rate : unit.rate()) {
    const std::optional<double> per_cycle = ValueOf(rate.per_cycle());
    if (rate.work() != proto::CONTRACTION || !per_cycle.has_value()) continue;
    const double peak = *per_cycle * engines * *clock;
    if (peak >= kLeastMacsPerS && peak <= kMostMacsPerS) continue;
    Warn(absl::StrCat("unit/", unit.name(), "/rate/", RowKey(rate)), peak,
         "MACs per second (per_cycle * cores * instances * clock_hz)", kLeastMacsPerS, kMostMacsPerS, rows);
  }
}

}  // namespace

// target.proto says the same.
bool IsListedOnly(absl::string_view message, absl::string_view field) {
  return message == "Memory" && field == "latency_s";
}

absl::Span<const PlausibleRow> PlausibleRanges() { return kRanges; }

const PlausibleRow* FindPlausible(absl::string_view field) {
  for (const PlausibleRow& row : kRanges) {
    if (row.field == field) return &row;
  }
  return nullptr;
}

std::vector<LintProblem> CheckPlausible(const proto::Target& target) {
  std::vector<LintProblem> rows;
  Walk(target, nullptr, [&](const WalkStep& step) {
    if (step.type->name() == "Fact") CheckFigure(step, &rows);
    if (step.type->name() == "Param") CheckParamValue(step, &rows);
  });
  for (const proto::Unit& unit : target.unit()) CheckPeaks(unit, &rows);
  return rows;
}

std::vector<LintProblem> CheckUnread(const proto::Target& target) {
  std::vector<LintProblem> rows;
  Walk(target, nullptr, [&](const WalkStep& step) {
    if (step.field == nullptr || !IsListedOnly(step.field->containing_type()->name(), step.field->name())) return;
    rows.push_back({.path = PathOf(step),
                    .message = "no estimate reads this figure",
                    .remedy = "keep it as documentation, or state what per_cycle and bytes_per_s reach",
                    .severity = Severity::kWarning});
  });
  return rows;
}

}  // namespace hwest
