// Keeps a small file from using much: caps on inlining, one producer per value, a limited number of warnings.
#include <utility>

#include "absl/strings/str_cat.h"
#include "ir/builder_impl.h"

namespace hwest {
namespace {

constexpr int64_t kMaxWarnings = 100;  // of one code

}  // namespace

absl::Status GraphBuilder::Spend(int64_t items, int64_t name_bytes) {
  items_ += items;
  name_bytes_ += name_bytes;
  const bool too_long = name_bytes_ > options_.limits.max_name_bytes;
  if (!too_long && items_ <= options_.limits.max_items) return absl::OkStatus();
  return MakeError(
      Code::kModelRefused,
      absl::StrCat("more than ", too_long ? options_.limits.max_name_bytes : options_.limits.max_items,
                   too_long ? " bytes of names" : " calls, values and attribute elements", " after inlining"),
      "export the model with fewer nested functions");
}

absl::Status GraphBuilder::CheckWritable(ValueId output, StrId name, absl::string_view writer) const {
  const Value& value = graph_.values_[output];
  const bool given = value.is_input || value.is_initializer;
  if (!given && !value.producer.valid()) return absl::OkStatus();
  return MakeError(Code::kModelRefused,
                   absl::StrCat(writer, " writes '", text(name), "', which is ",
                                given ? "an input or initialiser" : "the output of another node"),
                   "export the model again; every value needs one producer");
}

void GraphBuilder::Warn(Code code, std::string message, std::string remedy, absl::string_view node,
                        absl::string_view value) {
  if (++warnings_[code] > kMaxWarnings) return;
  graph_.diagnostics_.push_back({code, std::move(message), std::move(remedy), std::string(node), std::string(value)});
}

void GraphBuilder::SumUpWarnings() {
  for (const auto& [code, count] : warnings_) {
    if (count <= kMaxWarnings) continue;
    graph_.diagnostics_.push_back({.code = code,
                                   .message = absl::StrCat(count - kMaxWarnings, " more of this kind"),
                                   .remedy = "look at the first ones"});
  }
}

}  // namespace hwest
