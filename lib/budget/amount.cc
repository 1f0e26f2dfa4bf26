#include "budget/amount.h"

#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"

namespace hwest {
namespace {

struct AmountUnit {
  AmountKind kind;
  absl::string_view name;
  double scale;
};

constexpr AmountUnit kUnits[] = {
    {AmountKind::kSeconds, "s", 1},     {AmountKind::kSeconds, "ms", 1e-3},   {AmountKind::kSeconds, "us", 1e-6},
    {AmountKind::kSeconds, "µs", 1e-6}, {AmountKind::kSeconds, "ns", 1e-9},   {AmountKind::kPerSecond, "", 1},
    {AmountKind::kPerSecond, "FPS", 1}, {AmountKind::kPerSecond, "fps", 1},   {AmountKind::kPerSecond, "/s", 1},
    {AmountKind::kPerSecond, "Hz", 1},  {AmountKind::kPerSecond, "kHz", 1e3}, {AmountKind::kJoules, "J", 1},
    {AmountKind::kJoules, "mJ", 1e-3},  {AmountKind::kJoules, "uJ", 1e-6},    {AmountKind::kJoules, "µJ", 1e-6},
    {AmountKind::kJoules, "kJ", 1e3},   {AmountKind::kWatts, "W", 1},         {AmountKind::kWatts, "mW", 1e-3},
    {AmountKind::kWatts, "kW", 1e3},    {AmountKind::kBytes, "B", 1},         {AmountKind::kBytes, "kB", 1e3},
    {AmountKind::kBytes, "KB", 1e3},    {AmountKind::kBytes, "MB", 1e6},      {AmountKind::kBytes, "GB", 1e9},
    {AmountKind::kBytes, "KiB", 1024},  {AmountKind::kBytes, "MiB", 1 << 20}, {AmountKind::kBytes, "GiB", 1 << 30},
    {AmountKind::kCount, "", 1},        {AmountKind::kCount, "k", 1e3},       {AmountKind::kCount, "M", 1e6},
    {AmountKind::kCount, "G", 1e9},     {AmountKind::kCount, "T", 1e12},      {AmountKind::kShare, "", 1},
    {AmountKind::kShare, "%", 1e-2},
};

}  // namespace

std::optional<double> ParseAmount(absl::string_view text, AmountKind kind) {
  text = absl::StripAsciiWhitespace(text);
  const size_t digits = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  // The e of an exponent is followed by digits; SimpleAtod refuses the rest.
  double number;
  if (!absl::SimpleAtod(text.substr(0, digits), &number) || !std::isfinite(number) || number < 0) return std::nullopt;
  const absl::string_view unit = absl::StripAsciiWhitespace(text.substr(digits));
  for (const AmountUnit& row : kUnits) {
    if (row.kind == kind && row.name == unit) return number * row.scale;
  }
  return std::nullopt;
}

std::string AmountText(double amount, AmountKind kind) {
  switch (kind) {
    case AmountKind::kSeconds: return FormatSeconds(amount);
    case AmountKind::kPerSecond: return absl::StrFormat("%.4g /s", amount);
    case AmountKind::kJoules: return FormatJoules(amount);
    case AmountKind::kWatts: return absl::StrFormat("%.4g W", amount);
    case AmountKind::kBytes: return FormatBytes(amount);
    case AmountKind::kCount: return FormatCount(amount);
    case AmountKind::kShare: return absl::StrFormat("%.3g %%", amount * 100);
  }
  return "";
}

absl::string_view AmountForm(AmountKind kind) {
  switch (kind) {
    case AmountKind::kSeconds: return "a time such as 12 ms";
    case AmountKind::kPerSecond: return "a rate such as 30 FPS";
    case AmountKind::kJoules: return "an energy such as 200 mJ";
    case AmountKind::kWatts: return "a power such as 15 W";
    case AmountKind::kBytes: return "a size such as 64 MB";
    case AmountKind::kCount: return "a count such as 8.8 G";
    case AmountKind::kShare: return "a share such as 5%";
  }
  return "";
}

}  // namespace hwest
