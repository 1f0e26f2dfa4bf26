// What a limit measures on a node.
#pragma once

#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "pass/limit.h"

namespace hwest {

// LimitReading is one measured quantity: a number where it has one, and the text reports show.
struct LimitReading {
  std::optional<double> number;
  std::string word;     // where it has no number
  bool unread = false;  // contents that are not known

  std::string text() const;
};
using LimitReadings = absl::InlinedVector<LimitReading, 2>;

// ReadLimited returns every quantity that `limit` bounds on `node`, e.g. each element of an attribute. Empty = the
// limit does not apply (absent input or attribute). A size that is not known has no number and the word "unknown". For
// kStatic, kConst and kEdge the one reading is 1 when the condition holds, else 0.
LimitReadings ReadLimited(const LimitContext& context, NodeId node, const Limit& limit);

// 3 as "3", 0.5 as "0.5".
std::string NumberText(double number);

}  // namespace hwest
