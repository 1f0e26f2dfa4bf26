#include "import/type_reader.h"

namespace hwest {
namespace {

void ReadType(ReadContext& context, Span range, int depth, RawType* type);

void ReadDim(ReadContext& context, Span range, RawDim* dim) {
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() == VarintTag(1)) *dim = RawDim{.has_value = true, .value = field.AsInt64()};
    if (field.tag() == BytesTag(2)) *dim = RawDim{.param = context.Intern(field.contents())};
  }
}

void ReadShape(ReadContext& context, Span range, RawType* type) {
  type->has_shape = true;
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() != BytesTag(1) || !context.CheckRank(type->dims.size() + 1)) continue;
    type->dims.emplace_back();
    ReadDim(context, field.contents(), &type->dims.back());
  }
}

void ReadTensorType(ReadContext& context, Span range, RawType* type) {
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() == VarintTag(1)) type->elem = field.AsInt32();
    if (field.tag() == BytesTag(2)) ReadShape(context, field.contents(), type);
  }
}

// Sequence and Optional hold their element type in field 1; Map holds its key type there and its values' in field 2.
void ReadContainerType(ReadContext& context, Span range, int depth, RawType* type) {
  const uint32_t element = type->kind == ValueKind::kMap ? 2 : 1;
  type->element.resize(1);
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() == BytesTag(element)) ReadType(context, field.contents(), depth + 1, &type->element[0]);
    if (field.tag() == VarintTag(1)) type->elem = field.AsInt32();
  }
}

// The members of TypeProto exclude each other: another one replaces, the same one merges.
void Select(ValueKind kind, RawType* type) {
  if (type->kind == kind) return;
  *type = RawType{};
  type->kind = kind;
}

struct Member {
  uint32_t tag;
  ValueKind kind;
};

constexpr Member kMembers[] = {
    {BytesTag(1), ValueKind::kTensor},  {BytesTag(4), ValueKind::kSequence}, {BytesTag(5), ValueKind::kMap},
    {BytesTag(7), ValueKind::kUnknown}, {BytesTag(8), ValueKind::kSparse},   {BytesTag(9), ValueKind::kOptional},
};

void ReadMember(ReadContext& context, Span range, int depth, RawType* type) {
  switch (type->kind) {
    case ValueKind::kTensor:
    case ValueKind::kSparse: return ReadTensorType(context, range, type);
    case ValueKind::kSequence:
    case ValueKind::kOptional:
    case ValueKind::kMap: return ReadContainerType(context, range, depth, type);
    case ValueKind::kUnknown: return;
  }
}

void ReadType(ReadContext& context, Span range, int depth, RawType* type) {
  if (!context.CheckDepth(depth)) return;
  for (Fields field(context.in(), range); field.Next();) {
    for (const Member& member : kMembers) {
      if (member.tag != field.tag()) continue;
      Select(member.kind, type);
      ReadMember(context, field.contents(), depth, type);
    }
  }
}

}  // namespace

void ReadValueInfo(ReadContext& context, Span range, RawValueInfo* info) {
  info->name = kEmptyText;
  for (Fields field(context.in(), range); field.Next();) {
    if (field.tag() == BytesTag(1)) info->name = context.Intern(field.contents());
    if (field.tag() == BytesTag(2)) ReadType(context, field.contents(), 1, &info->type);
  }
}

}  // namespace hwest
