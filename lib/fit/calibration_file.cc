#include "fit/calibration_file.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hwest {
namespace {

std::string Quoted(const std::string& text) { return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\""); }

// The fewest digits that read back as the same number.
std::string NumberText(double value) {
  for (int digits = 6; digits < 17; ++digits) {
    const std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

std::string FitText(const Fit& fit) {
  std::string text = absl::StrCat("fit { value: ", NumberText(fit.value), " spread: ", NumberText(fit.spread),
                                  " count: ", fit.count, " data: ", Quoted(fit.data));
  if (!fit.shared_by.empty()) absl::StrAppend(&text, " shared_by: ", Quoted(fit.shared_by));
  return absl::StrCat(text, " }");
}

void AddFact(const char* field, const Fact& fact, std::string* text) {
  if (fact.fit.has_value()) absl::StrAppend(text, "  ", field, " { ", FitText(*fact.fit), " }\n");
}

std::string EvidenceText(const Evidence& row) {
  std::string text = absl::StrCat("  evidence { precision: ", Quoted(row.precision), " count: ", row.count,
                                  " families: ", row.families, " data: ", Quoted(row.data));
  if (!row.shared_by.empty()) absl::StrAppend(&text, " shared_by: ", Quoted(row.shared_by));
  return absl::StrCat(text, " classes: ", Quoted(row.classes), " }\n");
}

std::string UnitText(const Unit& unit) {
  std::string text;
  AddFact("clock_hz", unit.clock_hz, &text);
  AddFact("invoke_s", unit.invoke_s, &text);
  AddFact("launch_s", unit.launch_s, &text);
  for (const Param& param : unit.params) {
    if (!param.fact.fit.has_value()) continue;
    absl::StrAppend(&text, "  param { name: ", Quoted(param.name), " min: ", NumberText(param.min),
                    " max: ", NumberText(param.max), " fact { ", FitText(*param.fact.fit), " } }\n");
  }
  for (const Evidence& row : unit.evidence) absl::StrAppend(&text, EvidenceText(row));
  return text.empty() ? text : absl::StrCat("unit {\n  name: ", Quoted(unit.name), "\n", text, "}\n");
}

std::string MeasuredAsText(const MeasuredAs& as) {
  std::string text = "measured_as {";
  const auto add = [&](const char* field, const std::string& value) {
    if (!value.empty()) absl::StrAppend(&text, " ", field, ": ", Quoted(value));
  };
  add("device", as.device);
  add("unit", as.unit);
  add("runtime", as.runtime);
  add("mode", as.mode);
  for (const std::string& unit : as.on_units) add("on_unit", unit);
  add("in_mode", as.in_mode);
  add("toolchain", as.toolchain);
  return absl::StrCat(text, " }\n");
}

}  // namespace

std::string CalibratedText(const Target& target, const std::string& name, const std::string& base) {
  std::string text =
      absl::StrCat("name: ", Quoted(name), "\nsummary: ", Quoted(absl::StrCat(target.summary, ", calibrated")),
                   "\nfamily: ", Quoted(target.family), "\nbase: ", Quoted(base), "\n\n");
  for (const Unit& unit : target.units) absl::StrAppend(&text, UnitText(unit));
  if (!target.measured_as.empty()) absl::StrAppend(&text, "\n");
  for (const MeasuredAs& as : target.measured_as) absl::StrAppend(&text, MeasuredAsText(as));
  return text;
}

}  // namespace hwest
