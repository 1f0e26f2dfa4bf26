#include "import/tensor_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/checked_math.h"
#include "import/external_data.h"

namespace hwest {
namespace {

// Value fields of TensorProto.
enum ValueField : uint32_t {
  kNoField = 0,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
};

constexpr absl::string_view kTensorRemedy = "its contents are taken as unknown; export the model again";

bool IsPayload(uint32_t tag) {
  switch (tag >> 3) {
    case kFloatData:
    case kInt32Data:
    case kInt64Data:
    case kRawData:
    case kDoubleData:
    case kUint64Data: return true;
    default: return false;
  }
}

// The typed field that holds values of `elem`, and the bytes of the raw layout that one of its entries stands for.
struct TypedField {
  ValueField number = kNoField;
  int entry_bytes = 0;
};

TypedField TypedFieldOf(ElemType elem) {
  switch (elem) {
    case ElemType::kFloat:
    case ElemType::kComplex64: return {kFloatData, 4};
    case ElemType::kDouble:
    case ElemType::kComplex128: return {kDoubleData, 8};
    case ElemType::kInt64: return {kInt64Data, 8};
    case ElemType::kUint32: return {kUint64Data, 4};
    case ElemType::kUint64: return {kUint64Data, 8};
    case ElemType::kString: return {kStringData, 0};
    default: return {ElemBits(elem) == 0 ? kNoField : kInt32Data, std::max(1, ElemBits(elem) / 8)};
  }
}

// Bytes of `elements` in the raw layout; none for types without a size.
std::optional<int64_t> RawBytes(ElemType elem, int64_t elements) {
  if (ElemBits(elem) == 0 || elements < 0) return std::nullopt;
  const std::optional<int64_t> bits = CheckedMul(elements, ElemBits(elem));
  if (!bits.has_value()) return std::nullopt;
  return *bits / 8 + (*bits % 8 != 0);
}

void AddRun(const Fields& field, std::vector<TensorParts::Run>* runs) {
  const bool bytes = (field.tag() & 7) == 2;
  const int64_t payload = bytes ? field.contents().length() : field.whole().length();
  if (!runs->empty() && runs->back().number == field.number() && runs->back().fields.end == field.whole().begin) {
    runs->back().fields.end = field.whole().end;
    runs->back().payload_bytes += payload;
    return;
  }
  runs->push_back({field.number(), field.whole(), payload});
}

// A decimal entry of external_data; none when it is no number or negative.
std::optional<int64_t> ExternalNumber(ReadContext& context, Span text) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(context.Text(text), &number) || number < 0) return std::nullopt;
  return number;
}

// Small payloads are copied on the way, so that the window need not come back.
void ReadRaw(ReadContext& context, Span contents, TensorParts* parts) {
  parts->has_raw = true;
  parts->raw = contents;
  parts->constant.data.clear();
  if (!IsDecoded(context.options(), parts->constant.elem, contents.length())) return;
  context.in().Copy(contents.begin, contents.length(), &parts->constant.data);
}

void ReadExternalEntry(ReadContext& context, Span range, TensorParts* parts) {
  parts->has_external_data = true;
  const Entry entry = ReadEntry(context, range);
  if (entry.key == "location") parts->constant.location = context.Intern(entry.value);
  if (entry.key == "offset") parts->external_offset = ExternalNumber(context, entry.value);
  if (entry.key == "length") parts->external_length = ExternalNumber(context, entry.value);
}

std::string Describe(const Constant& constant) {
  return absl::StrCat(ElemTypeName(constant.elem), "[", absl::StrJoin(constant.dims, ","), "]");
}

// The contents cannot be known: `why` completes "tensor float[2,3] ...".
void Reject(ReadContext& context, Code code, absl::string_view why, Constant* constant) {
  constant->storage = Storage::kMissing;
  context.Warn(code, absl::StrCat("tensor ", Describe(*constant), " ", why), kTensorRemedy, constant->name);
}

void FinishExternal(ReadContext& context, const TensorParts& parts, int64_t elements, Constant* constant) {
  const std::optional<int64_t> expected = RawBytes(constant->elem, elements);
  if (!constant->location.valid() || constant->location == kEmptyText) {
    return Reject(context, Code::kExternalData, "is external but names no file", constant);
  }
  if (IsMemoryAddress(context.model().strings[constant->location])) {
    return Reject(context, Code::kExternalData, "was saved as an address in another process", constant);
  }
  if (!parts.external_offset.has_value() || !parts.external_length.has_value()) {
    return Reject(context, Code::kExternalData, "has an external offset or length that is no number", constant);
  }
  constant->offset = *parts.external_offset;
  constant->length = *parts.external_length == 0 ? expected.value_or(0) : *parts.external_length;
  if (expected.has_value() && constant->length < *expected) {
    return Reject(context, Code::kExternalData,
                  absl::StrCat("needs ", *expected, " external bytes but names ", constant->length), constant);
  }
  constant->storage = Storage::kExternal;
}

// Appends the entries of `field` to `data`, each as the low `entry_bytes` bytes, little endian.
void DecodeTyped(const Fields& field, const TypedField& typed, std::string* data) {
  const auto append = [&](uint64_t bits) {
    for (int i = 0; i < typed.entry_bytes; ++i) data->push_back(static_cast<char>(bits >> (8 * i)));
  };
  switch (typed.number) {
    case kFloatData: return ForEachFixed<4>(field, append);
    case kDoubleData: return ForEachFixed<8>(field, append);
    default: return ForEachVarint(field, append);
  }
}

void DecodeStrings(ReadContext& context, const std::vector<TensorParts::Run>& runs, Constant* constant) {
  for (const TensorParts::Run& run : runs) {
    for (Fields field(context.in(), run.fields); field.Next();) {
      constant->strings.emplace_back(context.Text(field.contents()));
    }
  }
}

void FinishStrings(ReadContext& context, const std::vector<TensorParts::Run>& runs, int64_t elements,
                   Constant* constant) {
  if (constant->length > context.options().decode_any_bytes || elements > context.options().decode_any_bytes) return;
  DecodeStrings(context, runs, constant);
  if (static_cast<int64_t>(constant->strings.size()) != elements) {
    constant->strings.clear();
    return Reject(context, Code::kTensorData, "holds another number of strings", constant);
  }
  constant->storage = Storage::kDecoded;
}

void FinishRaw(ReadContext& context, const TensorParts& parts, int64_t elements, Constant* constant) {
  constant->storage = Storage::kInline;
  constant->offset = parts.raw.begin;
  constant->length = parts.raw.length();
  const std::optional<int64_t> expected = RawBytes(constant->elem, elements);
  const bool fits = !expected.has_value() || *expected == constant->length;
  if (fits && IsDecoded(context.options(), constant->elem, constant->length)) {
    constant->storage = Storage::kDecoded;
    if (!constant->data.empty()) return;
    context.in().Copy(parts.raw.begin, constant->length, &constant->data);
    return;
  }
  constant->data.clear();
  context.Skipped(constant->length);
  if (fits) return;
  Reject(context, Code::kTensorData, absl::StrCat("needs ", *expected, " bytes but holds ", constant->length),
         constant);
}

// Runs of the field that goes with the element type.
std::vector<TensorParts::Run> RunsOf(const TensorParts& parts, uint32_t number) {
  std::vector<TensorParts::Run> runs;
  for (const TensorParts::Run& run : parts.runs) {
    if (run.number == number) runs.push_back(run);
  }
  return runs;
}

void FinishTyped(ReadContext& context, const TensorParts& parts, int64_t elements, Constant* constant) {
  const TypedField typed = TypedFieldOf(constant->elem);
  const std::vector<TensorParts::Run> runs = RunsOf(parts, typed.number);
  if (runs.empty()) return Reject(context, Code::kTensorData, "holds no values of its type", constant);
  constant->storage = Storage::kInline;
  constant->offset = runs.front().fields.begin;
  for (const TensorParts::Run& run : runs) constant->length += run.payload_bytes;
  if (typed.number == kStringData) return FinishStrings(context, runs, elements, constant);

  const std::optional<int64_t> expected = RawBytes(constant->elem, elements);
  if (!expected.has_value() || !IsDecoded(context.options(), constant->elem, *expected)) {
    return context.Skipped(constant->length);
  }
  for (const TensorParts::Run& run : runs) {
    for (Fields field(context.in(), run.fields); field.Next();) DecodeTyped(field, typed, &constant->data);
  }
  if (static_cast<int64_t>(constant->data.size()) != *expected) {
    const size_t found = constant->data.size();
    constant->data.clear();
    return Reject(context, Code::kTensorData, absl::StrCat("needs ", *expected, " bytes but holds ", found), constant);
  }
  constant->storage = Storage::kDecoded;
}

}  // namespace

TensorParts NewTensorParts() {
  TensorParts parts;
  parts.constant.name = kEmptyText;
  return parts;
}

void ReadTensor(ReadContext& context, Span range, TensorParts* parts) {
  Constant& constant = parts->constant;
  for (Fields field(context.in(), range); field.Next();) {
    switch (field.tag()) {
      case VarintTag(1):
      case BytesTag(1):
        ForEachVarint(field, [&](uint64_t dim) {
          if (context.CheckRank(constant.dims.size() + 1)) constant.dims.push_back(static_cast<int64_t>(dim));
        });
        break;
      case VarintTag(2): constant.elem = static_cast<ElemType>(field.AsInt32()); break;
      case BytesTag(8): constant.name = context.Intern(field.contents()); break;
      case BytesTag(kRawData): ReadRaw(context, field.contents(), parts); break;
      case BytesTag(kFloatData):
      case Fixed32Tag(kFloatData):
      case BytesTag(kDoubleData):
      case Fixed64Tag(kDoubleData):
      case BytesTag(kInt32Data):
      case VarintTag(kInt32Data):
      case BytesTag(kInt64Data):
      case VarintTag(kInt64Data):
      case BytesTag(kUint64Data):
      case VarintTag(kUint64Data):
      case BytesTag(kStringData): AddRun(field, &parts->runs); break;
      case BytesTag(13): ReadExternalEntry(context, field.contents(), parts); break;
      case VarintTag(14): parts->is_external = field.bits() == 1; break;
      default: break;
    }
    if (IsPayload(field.tag()) && !IsDecoded(context.options(), constant.elem, field.whole().length())) {
      context.in().SkipPayload();
    }
  }
}

void ReadSparseTensor(ReadContext& context, Span range, SparseTensorParts* parts) {
  for (Fields field(context.in(), range); field.Next();) {
    switch (field.tag()) {
      case BytesTag(1): ReadTensor(context, field.contents(), &parts->values); break;
      case BytesTag(2): ReadTensor(context, field.contents(), &parts->indices); break;
      case VarintTag(3):
      case BytesTag(3):
        ForEachVarint(field, [&](uint64_t dim) {
          if (context.CheckRank(parts->dims.size() + 1)) parts->dims.push_back(static_cast<int64_t>(dim));
        });
        break;
      default: break;
    }
  }
}

Constant FinishTensor(ReadContext& context, TensorParts parts) {
  Constant& constant = parts.constant;
  const int64_t elements = constant.Elements();
  const bool has_values = parts.has_raw || !parts.runs.empty();
  const bool external_by_entries = !parts.is_external && !has_values && parts.has_external_data;
  const bool is_external = parts.is_external || external_by_entries;
  const bool is_raw = parts.has_raw && !is_external && elements > 0 && constant.elem != ElemType::kString;
  if (!is_raw) constant.data.clear();
  if (elements < 0) {
    Reject(context, Code::kTensorData, "has dims that are negative or too large", &constant);
  } else if (elements == 0) {
    constant.storage = Storage::kEmpty;
  } else if (is_external) {
    FinishExternal(context, parts, elements, &constant);
  } else if (is_raw) {
    FinishRaw(context, parts, elements, &constant);
  } else {
    FinishTyped(context, parts, elements, &constant);
  }
  if (external_by_entries && constant.storage == Storage::kExternal) {
    context.Warn(Code::kExternalData, "a tensor names external data without data_location EXTERNAL",
                 "it is read as external", constant.name);
  }
  return std::move(constant);
}

Constant FinishSparseTensor(ReadContext& context, SparseTensorParts parts) {
  Constant constant = FinishTensor(context, std::move(parts.values));
  const Constant indices = FinishTensor(context, std::move(parts.indices));
  constant.sparse = true;
  constant.dims = std::move(parts.dims);
  constant.length += indices.length;
  constant.data.clear();
  constant.strings.clear();
  if (constant.storage != Storage::kExternal && constant.storage != Storage::kMissing) {
    constant.storage = Storage::kInline;
  }
  return constant;
}

}  // namespace hwest
