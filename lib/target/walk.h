// Walks the messages of a target or toolchain file by readable paths such as "unit/gpu/rate/contraction/int8".
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace hwest {

// The key that distinguishes rows of a table: a name, "from:to" of a link, work and types of a rate, ...
// Empty for rows without one (MeasuredAs).
std::string RowKey(const google::protobuf::Message& row);

// One message on the way down; the parents live as long as the visit.
struct WalkStep {
  const WalkStep* parent = nullptr;  // null at the root
  const google::protobuf::Message* message = nullptr;
  const google::protobuf::Descriptor* type = nullptr;
  const google::protobuf::FieldDescriptor* field = nullptr;  // the field of the parent that holds it; null at the root
  int index = -1;                                            // in a repeated field, else -1
  int line = 0;                                              // 1-based; 0 = not known
};
std::string PathOf(const WalkStep& step);

// Walk visits `root` and every message below it, parents first, fields in number order. Facts are leaves. `tree` may be
// null; with it each step has its line.
void Walk(const google::protobuf::Message& root, const google::protobuf::TextFormat::ParseInfoTree* tree,
          absl::FunctionRef<void(const WalkStep&)> visit);

}  // namespace hwest
