#include "explore/constraint.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "target/names.h"
#include "target/settable.h"

namespace hwest {
namespace {

struct LimitedRow {
  absl::string_view name;
  absl::string_view measure;
};
constexpr LimitedRow kLimited[] = {{"area", "mm2"}, {"power", "W"}, {"latency", "s"}, {"energy", "J"}};  // as Limited

absl::Status BadConstraint(absl::string_view flag, absl::string_view text, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(flag, " ", EscapeControl(text), " cannot be read"), remedy);
}

absl::StatusOr<ExploreLimit> ParseOne(absl::string_view flag, absl::string_view text) {
  constexpr absl::string_view kForm = "write FIGURE<VALUE, e.g. area<4mm2,power<2W,latency<10ms,energy<5mJ";
  std::vector<absl::string_view> sides = absl::StrSplit(text, absl::MaxSplits('<', 1));
  if (sides.size() != 2) return BadConstraint(flag, text, kForm);
  const absl::string_view name = absl::StripAsciiWhitespace(sides[0]);
  absl::ConsumePrefix(&sides[1], "=");
  std::vector<std::string> names;
  for (size_t i = 0; i < std::size(kLimited); ++i) {
    names.emplace_back(kLimited[i].name);
    if (kLimited[i].name != name) continue;
    const std::optional<double> max = ReadQuantity(absl::StripAsciiWhitespace(sides[1]), kLimited[i].measure);
    if (!max.has_value() || *max <= 0) return BadConstraint(flag, text, kForm);
    return ExploreLimit{static_cast<Limited>(i), *max, std::string(absl::StripAsciiWhitespace(text))};
  }
  return MakeError(Code::kUsage, absl::StrCat(flag, " limits no '", EscapeControl(name), "'"),
                   absl::StrCat(DidYouMean(name, names), kForm));
}

}  // namespace

absl::StatusOr<std::vector<ExploreLimit>> ParseExploreLimits(absl::string_view flag, absl::string_view text) {
  std::vector<ExploreLimit> constraints;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    absl::StatusOr<ExploreLimit> one = ParseOne(flag, part);
    if (!one.ok()) return one.status();
    constraints.push_back(*std::move(one));
  }
  return constraints;
}

}  // namespace hwest
