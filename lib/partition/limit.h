// What a limit measures on a node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/model_view.h"
#include "hwest/target.h"

namespace hwest {

// Reading is one measured quantity: a number where it has one, and the text reports show.
struct Reading {
  std::optional<double> number;
  std::string text;
};

// Read returns every quantity that `limit` bounds on `node`, e.g. each element of an attribute. Empty = the limit does
// not apply (absent input or attribute). A size that is not known has no number and the text "unknown". For kStatic and
// kConst the one reading is 1 when the condition holds, else 0.
std::vector<Reading> Read(const ModelView& model, NodeId node, const Limit& limit);

}  // namespace hwest
