// Parameters of the cost models in effect: what a target's file states, and the defaults for what it does not.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "hwest/target.h"
#include "target/names.h"

namespace hwest {

// What applies to units of the kind where a file states none, leaving `absent_as` aside.
double DefaultOf(const ParamRow& row, UnitKind kind);
// The same in words: "0.7", "pointwise_efficiency"; of no kind, those of each: "0.75 on SIMT_GPU, 0.7 on SYSTOLIC".
std::string DefaultText(const ParamRow& row, UnitKind kind);

// Whether the unit states the parameter, at any precision.
bool States(const Unit& unit, absl::string_view param);
// Whether the unit leaves a parameter that decides its times to the default.
bool LeavesToDefaults(const Unit& unit);

// ParamInEffect is one parameter of a unit, stated or not.
struct ParamInEffect {
  std::string path;   // "unit/npu/param/compute_efficiency", as in FactsOf
  std::string set;    // "npu.compute_efficiency", as --set names it
  double value = 0;   // as computed with
  std::string words;  // what it stands for where a number does not say it; empty = the value
  bool is_default = false;
  std::string measure;  // "B", "s" or empty
  double min = 0;       // of credible values
  double max = 0;
  std::string default_text;
  std::string meaning;
};
// Every parameter that placeable units have, in the order of the table, those stated at a precision beside the plain
// one.
std::vector<ParamInEffect> ParamsOf(const Target& target);

}  // namespace hwest
