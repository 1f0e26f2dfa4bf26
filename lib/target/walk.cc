#include "target/walk.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "target/proto.h"

namespace hwest {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Tree = google::protobuf::TextFormat::ParseInfoTree;

template <class T>
const T& As(const Message& message) {
  return static_cast<const T&>(message);
}

template <class T>
std::string NameKey(const Message& row) {
  return As<T>(row).name();
}

std::string RateKey(const Message& row) {
  const auto& rate = As<proto::Rate>(row);
  std::string key = absl::StrCat(proto::Work_Name(rate.work()), "/", proto::Num_Name(rate.act()));
  if (rate.weight() != proto::NUM_UNSET) absl::StrAppend(&key, "/", proto::Num_Name(rate.weight()));
  return absl::AsciiStrToLower(key);
}

std::string TileKey(const Message& row) {
  const auto& tile = As<proto::Tile>(row);
  return absl::StrCat(absl::AsciiStrToLower(proto::Num_Name(tile.num())), "/", tile.m(), "x", tile.n(), "x", tile.k());
}

std::string SourceKey(const Message& row) { return As<proto::Source>(row).key(); }
std::string LinkKey(const Message& row) {
  return absl::StrCat(As<proto::Link>(row).from(), ":", As<proto::Link>(row).to());
}
std::string EvidenceKey(const Message& row) { return As<proto::Evidence>(row).precision(); }
std::string SettingKey(const Message& row) { return As<proto::Setting>(row).of(); }
std::string SupportKey(const Message& row) { return absl::StrJoin(As<proto::Support>(row).op(), ","); }
std::string PickKey(const Message& row) { return As<proto::Pick>(row).pattern(); }
std::string KeepKey(const Message& row) { return As<proto::Keep>(row).reading(); }
std::string WidenKey(const Message& row) { return absl::StrJoin(As<proto::Widen>(row).group(), ","); }
std::string RuntimeKey(const Message& row) { return As<proto::Runtime>(row).toolchain(); }
std::string DecoderKey(const Message& row) { return As<proto::VideoDecoder>(row).codec(); }
std::string TakesFormKey(const Message& row) {
  return absl::AsciiStrToLower(proto::Form_Name(As<proto::TakesForm>(row).form()));
}
std::string LimitKey(const Message& row) { return As<proto::Limit>(row).of(); }

struct KeyRow {
  absl::string_view type;
  std::string (*key)(const Message&);
};
constexpr KeyRow kKeys[] = {
    {.type = "Rate", .key = RateKey},
    {.type = "Param", .key = NameKey<proto::Param>},
    {.type = "Evidence", .key = EvidenceKey},
    {.type = "Limit", .key = LimitKey},
    {.type = "Support", .key = SupportKey},
    {.type = "Pick", .key = PickKey},
    {.type = "Keep", .key = KeepKey},
    {.type = "Widen", .key = WidenKey},
    {.type = "Memory", .key = NameKey<proto::Memory>},
    {.type = "Unit", .key = NameKey<proto::Unit>},
    {.type = "Mode", .key = NameKey<proto::Mode>},
    {.type = "Setting", .key = SettingKey},
    {.type = "Link", .key = LinkKey},
    {.type = "Tile", .key = TileKey},
    {.type = "Source", .key = SourceKey},
    {.type = "Runtime", .key = RuntimeKey},
    {.type = "VideoDecoder", .key = DecoderKey},
    {.type = "WeightFormat", .key = NameKey<proto::WeightFormat>},
    {.type = "CacheFormat", .key = NameKey<proto::CacheFormat>},
    {.type = "TakesForm", .key = TakesFormKey},
};

void WalkFrom(const WalkStep& step, const Tree* tree, absl::FunctionRef<void(const WalkStep&)> visit) {
  visit(step);
  if (step.type->name() == "Fact") return;
  const google::protobuf::Reflection& reflection = *step.message->GetReflection();
  for (int f = 0; f < step.type->field_count(); ++f) {
    const FieldDescriptor* field = step.type->field(f);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const bool repeated = field->is_repeated();
    const int rows = repeated ? reflection.FieldSize(*step.message, field) : reflection.HasField(*step.message, field);
    for (int i = 0; i < rows; ++i) {
      const int index = repeated ? i : -1;
      const WalkStep child{.parent = &step,
                           .message = repeated ? &reflection.GetRepeatedMessage(*step.message, field, i)
                                               : &reflection.GetMessage(*step.message, field),
                           .type = field->message_type(),
                           .field = field,
                           .index = index,
                           .line = tree == nullptr ? 0 : tree->GetLocation(field, index).line + 1};
      WalkFrom(child, tree == nullptr ? nullptr : tree->GetTreeForNested(field, index), visit);
    }
  }
}

}  // namespace

std::string RowKey(const Message& row) {
  const std::string& type = row.GetDescriptor()->name();
  for (const KeyRow& known : kKeys) {
    if (known.type == type) return known.key(row);
  }
  return "";
}

std::string PathOf(const WalkStep& step) {
  if (step.parent == nullptr) return "";
  const std::string parent = PathOf(*step.parent);
  std::string path = absl::StrCat(parent, parent.empty() ? "" : "/", step.field->name());
  if (step.index < 0) return path;
  const std::string key = RowKey(*step.message);
  return absl::StrCat(path, "/", key.empty() ? absl::StrCat(step.index) : key);
}

void Walk(const Message& root, const Tree* tree, absl::FunctionRef<void(const WalkStep&)> visit) {
  WalkFrom(WalkStep{.message = &root, .type = root.GetDescriptor()}, tree, visit);
}

}  // namespace hwest
