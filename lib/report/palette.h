// Colours of pictures and charts, with their meaning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "chart/drawing.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

struct Palette {
  struct Entry {
    std::string text;
    Tint paint;
  };
  std::string title;  // what the colours show
  std::vector<Entry> entries;
};

// What colours a box: the sums over its items, and the words that take the most time.
struct BoxFigures {
  UnitId unit;
  std::optional<Bound> bound;
  std::string precision;  // "" = unknown
  std::optional<double> time_s, energy_j;
  std::optional<int64_t> flops, bytes;
  double measured_s = 0, measured_of_s = 0;  // of the items that were measured, and predicted for them
  bool has_kernel = false;                   // any of its items
};

// Colors gives every box an entry of one palette.
class Colors {
 public:
  // Errors: kUsage for a colouring that needs a plan where `view` has none.
  static absl::Status Check(const View& view, ColorBy by);
  Colors(const View& view, ColorBy by);

  Tint Of(const BoxFigures& box);  // also records that it occurs
  Palette Legend() const;          // entries that occurred, in their order

 private:
  size_t EntryOf(const BoxFigures& box);
  size_t Step(const std::optional<double>& figure, double of) const;

  const View& view_;
  const ColorBy by_;
  Palette all_;
  std::vector<bool> used_;
  bool used_no_kernel_ = false;
  std::vector<double> steps_;  // lower ends of the entries of a figure, but for the first
};

// For items that need no kernel and so run on no unit.
inline constexpr char kNoKernelWords[] = "no kernel needed";

Tint TintOfUnit(UnitId unit);
Tint TintOfBound(Bound bound);

}  // namespace hwest
