#include "target/merge.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "target/walk.h"

namespace hwest {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

void MergeMessage(const Message& ours, Message* out);

void MergeFact(const proto::Fact& ours, proto::Fact* out) {
  if (ours.has_value()) {
    *out = ours;
  } else {
    if (ours.has_fit()) out->clear_fit();
    out->MergeFrom(ours);
  }
}

Message* RowWithKey(const std::string& key, const FieldDescriptor* field, Message* out) {
  const Reflection& reflection = *out->GetReflection();
  for (int i = 0; i < reflection.FieldSize(*out, field); ++i) {
    Message* row = reflection.MutableRepeatedMessage(out, field, i);
    if (RowKey(*row) == key) return row;
  }
  return nullptr;
}

void MergeRows(const Message& ours, const FieldDescriptor* field, Message* out) {
  const Reflection& reflection = *ours.GetReflection();
  for (int i = 0; i < reflection.FieldSize(ours, field); ++i) {
    const Message& row = reflection.GetRepeatedMessage(ours, field, i);
    const std::string key = RowKey(row);
    Message* same = key.empty() ? nullptr : RowWithKey(key, field, out);
    if (same == nullptr) {
      reflection.AddMessage(out, field)->CopyFrom(row);
    } else {
      MergeMessage(row, same);
    }
  }
}

// Replaces a scalar or a list of scalars by ours.
void Replace(const Message& ours, const FieldDescriptor* field, Message* out) {
  std::unique_ptr<Message> only(ours.New());
  only->CopyFrom(ours);
  std::vector<const FieldDescriptor*> fields;
  only->GetReflection()->ListFields(*only, &fields);
  for (const FieldDescriptor* other : fields) {
    if (other != field) only->GetReflection()->ClearField(only.get(), other);
  }
  out->GetReflection()->ClearField(out, field);
  out->MergeFrom(*only);
}

void MergeMessage(const Message& ours, Message* out) {
  if (ours.GetDescriptor() == proto::Fact::descriptor()) {
    MergeFact(static_cast<const proto::Fact&>(ours), static_cast<proto::Fact*>(out));
    return;
  }
  const Reflection& reflection = *ours.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(ours, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      Replace(ours, field, out);
    } else if (field->is_repeated()) {
      MergeRows(ours, field, out);
    } else {
      MergeMessage(reflection.GetMessage(ours, field), reflection.MutableMessage(out, field));
    }
  }
}

// Drops the rows for which `drop` holds, keeping the order of the rest.
template <class Rows, class Drop>
int Erase(Rows* rows, Drop drop) {
  int kept = 0;
  for (int i = 0; i < rows->size(); ++i) {
    if (drop(rows->Get(i))) continue;
    if (kept != i) rows->SwapElements(kept, i);
    ++kept;
  }
  const int dropped = rows->size() - kept;
  rows->DeleteSubrange(kept, dropped);
  return dropped;
}

void DropReferences(const std::string& name, proto::Target* target) {
  Erase(target->mutable_link(), [&](const proto::Link& link) { return link.from() == name || link.to() == name; });
  for (proto::Mode& mode : *target->mutable_mode()) {
    Erase(mode.mutable_set(), [&](const proto::Setting& setting) { return setting.of() == name; });
  }
}

// Removes fits to the base's measurements from all figures of `message`.
void DropFits(Message* message) {
  if (message->GetDescriptor() == proto::Fact::descriptor()) static_cast<proto::Fact*>(message)->clear_fit();
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) DropFits(reflection.MutableMessage(message, field));
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(*message, field); ++i) {
      DropFits(reflection.MutableRepeatedMessage(message, field, i));
    }
  }
}

// The same in a unit, removing parameters that have only a fit. False when there is no such unit.
bool DropFitsOf(const std::string& name, proto::Target* target) {
  for (proto::Unit& unit : *target->mutable_unit()) {
    if (unit.name() != name) continue;
    DropFits(&unit);
    Erase(unit.mutable_param(), [](const proto::Param& param) { return !param.fact().has_value(); });
    unit.clear_evidence();
    return true;
  }
  return false;
}

// The tiles of a unit, in place of which others are stated. False when there is no such unit.
bool DropTilesOf(const std::string& name, proto::Target* target) {
  for (proto::Unit& unit : *target->mutable_unit()) {
    if (unit.name() != name) continue;
    unit.clear_tile();
    return true;
  }
  return false;
}

bool Remove(const std::string& entry, proto::Target* target) {
  const auto slash = entry.find('/');
  if (slash == std::string::npos) return false;
  const std::string table = entry.substr(0, slash);
  const std::string key = entry.substr(slash + 1);
  const auto same = [&](const Message& row) { return RowKey(row) == key; };
  if (table == "unit" || table == "memory") {
    const int dropped = table == "unit" ? Erase(target->mutable_unit(), same) : Erase(target->mutable_memory(), same);
    if (dropped > 0) DropReferences(key, target);
    if (table == "unit") {
      Erase(target->mutable_runtime(), [&](const proto::Runtime& runtime) { return runtime.unit() == key; });
    }
    return dropped > 0;
  }
  if (table == "fit") return DropFitsOf(key, target);
  if (table == "tile") return DropTilesOf(key, target);
  if (table == "mode") return Erase(target->mutable_mode(), same) > 0;
  if (table == "link") return Erase(target->mutable_link(), same) > 0;
  if (table == "runtime") return Erase(target->mutable_runtime(), same) > 0;
  if (table == "decoder") return Erase(target->mutable_decoder(), same) > 0;
  return false;
}

}  // namespace

bool Merge(const proto::Target& base, const proto::Target& ours, proto::Target* out, std::string* missing) {
  *out = base;
  out->clear_alias();
  out->clear_measured_as();
  out->clear_base();
  out->clear_remove();
  for (const std::string& entry : ours.remove()) {
    if (!Remove(entry, out)) {
      *missing = entry;
      return false;
    }
  }
  for (const proto::Mode& mode : ours.mode()) {
    if (!mode.is_default()) continue;
    for (proto::Mode& inherited : *out->mutable_mode()) inherited.clear_is_default();
  }
  MergeMessage(ours, out);
  return true;
}

void Merge(const proto::Toolchain& base, const proto::Toolchain& ours, proto::Toolchain* out) {
  *out = base;
  out->clear_base();
  std::set<std::pair<std::string, std::string>> stated;
  for (const proto::Support& row : ours.support()) {
    for (const std::string& op : row.op()) stated.insert({row.domain(), op});
  }
  for (proto::Support& row : *out->mutable_support()) {
    Erase(row.mutable_op(), [&](const std::string& op) { return stated.count({row.domain(), op}) > 0; });
  }
  Erase(out->mutable_support(), [](const proto::Support& row) { return row.op().empty(); });
  std::set<std::string> picked;
  for (const proto::Pick& pick : ours.fuses()) picked.insert(pick.pattern());
  Erase(out->mutable_fuses(), [&](const proto::Pick& pick) { return picked.count(pick.pattern()) > 0; });
  proto::Toolchain rest = ours;
  rest.clear_support();
  if (ours.has_sharing()) out->clear_sharing();
  if (ours.has_partition()) out->clear_partition();
  MergeMessage(rest, out);
  out->mutable_support()->MergeFrom(ours.support());
  Erase(out->mutable_fuses(), [](const proto::Pick& pick) { return pick.no(); });
}

bool ExpandLikes(proto::Target* target, std::string* missing) {
  for (int i = 0; i < target->unit_size(); ++i) {
    proto::Unit& unit = *target->mutable_unit(i);
    if (unit.like().empty()) continue;
    int model = 0;
    while (model < i && target->unit(model).name() != unit.like()) ++model;
    if (model == i) {
      *missing = unit.like();
      return false;
    }
    const proto::Unit ours = unit;
    unit = target->unit(model);
    MergeMessage(ours, &unit);
    unit.clear_like();
  }
  return true;
}

}  // namespace hwest
