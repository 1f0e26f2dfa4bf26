#include "rewrite/payload.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "import/external_data.h"
#include "import/window.h"

namespace hwest {
namespace {

constexpr int64_t kChunkBytes = 4 << 20;

struct TensorFields {
  std::optional<Span> raw;
  std::optional<Span> floats;  // packed, in one piece
  bool other = false;          // values in any other form
  bool is_external = false;
  std::string location;
  int64_t offset = 0;
  int64_t length = 0;
};

std::string TextOf(Window& in, Span range) {
  std::string text;
  if (range.length() <= Window::kMaxBytes) in.Copy(range.begin, range.length(), &text);
  return text;
}

void ReadExternal(Window& in, Span range, TensorFields* fields) {
  std::string key, value;
  for (Fields field(in, range); field.Next();) {
    if (field.tag() == BytesTag(1)) key = TextOf(in, field.contents());
    if (field.tag() == BytesTag(2)) value = TextOf(in, field.contents());
  }
  if (key == "location") fields->location = value;
  int64_t number = 0;
  if (key == "offset" && absl::SimpleAtoi(value, &number)) fields->offset = number;
  if (key == "length" && absl::SimpleAtoi(value, &number)) fields->length = number;
}

TensorFields ReadFields(Window& in, Span tensor) {
  TensorFields fields;
  for (Fields field(in, tensor); field.Next();) {
    switch (field.number()) {
      case 4:
        if (field.tag() == BytesTag(4) && !fields.floats.has_value()) {
          fields.floats = field.contents();
        } else {
          fields.other = true;
        }
        break;
      case 5:
      case 6:
      case 7:
      case 10:
      case 11: fields.other = true; break;
      case 9:
        if (field.tag() == BytesTag(9)) fields.raw = field.contents();
        break;
      case 13:
        if (field.tag() == BytesTag(13)) ReadExternal(in, field.contents(), &fields);
        break;
      case 14: fields.is_external = field.tag() == VarintTag(14) && field.bits() == 1; break;
      default: break;
    }
    if (field.contents().length() > Window::kMinBytes) in.SkipPayload();
  }
  return fields;
}

std::optional<Payload> FindExternal(const ModelFile& file, const TensorFields& fields, int64_t bytes) {
  const absl::StatusOr<std::optional<std::string>> path = ExternalPath(file.path(), fields.location);
  if (!path.ok() || !path->has_value()) return std::nullopt;
  Payload payload{.path = **path, .offset = fields.offset, .length = bytes};
  struct stat info;
  if (::stat(payload.path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (payload.offset < 0 || bytes > info.st_size - payload.offset) return std::nullopt;
  return payload;
}

uint16_t HalfOf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const float size = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00u);
  if (size >= 65520.0f) return static_cast<uint16_t>(sign | 0x7c00u);
  // Below the normal numbers a step is 2^-24; above, a mantissa has ten bits.
  int exponent = 0;
  std::frexp(size, &exponent);
  const float step = std::ldexp(1.0f, std::max(exponent - 11, -24));
  const auto units = static_cast<uint32_t>(std::nearbyint(size / step));
  if (exponent - 11 < -24 || units == 0) return static_cast<uint16_t>(sign | units);
  // `units` is 1024..2048; the last is the next power of two.
  const auto biased = static_cast<uint32_t>(exponent - 1 + 15);
  return static_cast<uint16_t>(sign | ((biased << 10) + (units - 1024)));
}

float NumberOfHalf(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int mantissa = half & 1023;
  const float sign = (half & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return mantissa != 0 ? std::nanf("") : sign * HUGE_VALF;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

uint16_t Bfloat16Of(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

absl::Status WithSource(const ModelFile& file, const Payload& payload, absl::FunctionRef<absl::Status(Source&)> use) {
  if (payload.path.empty()) return use(file.source());
  HWEST_ASSIGN_OR_RETURN(Source source, Source::OpenFile(payload.path));
  return use(source);
}

}  // namespace

bool HoldsNumbers(ElemType elem) {
  return elem == ElemType::kFloat || elem == ElemType::kFloat16 || elem == ElemType::kBfloat16;
}

double NumberAt(const char* bytes, ElemType elem) {
  if (elem == ElemType::kFloat) {
    float value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
  uint16_t half;
  std::memcpy(&half, bytes, sizeof(half));
  if (elem == ElemType::kFloat16) return NumberOfHalf(half);
  return std::bit_cast<float>(static_cast<uint32_t>(half) << 16);
}

void AppendNumber(double number, ElemType elem, std::string* out) {
  const auto value = static_cast<float>(number);
  if (elem == ElemType::kFloat) {
    out->append(reinterpret_cast<const char*>(&value), sizeof(value));
    return;
  }
  const uint16_t half = elem == ElemType::kFloat16 ? HalfOf(value) : Bfloat16Of(value);
  out->append(reinterpret_cast<const char*>(&half), sizeof(half));
}

void AppendInt(int64_t value, int bits, std::string* out) {
  for (int shift = 0; shift < bits; shift += 8) out->push_back(static_cast<char>(value >> shift));
}

std::optional<Payload> FindPayload(const ModelFile& file, size_t initializer, ElemType elem, int64_t bytes) {
  Window in(file.source());
  const TensorFields fields = ReadFields(in, file.At(GraphField::kInitializer, initializer).contents);
  if (!in.ok() || fields.other) return std::nullopt;
  const bool has_values = fields.raw.has_value() || fields.floats.has_value();
  if (fields.is_external || (!has_values && !fields.location.empty())) return FindExternal(file, fields, bytes);
  const bool is_packed = fields.floats.has_value() && elem == ElemType::kFloat;
  const std::optional<Span> range = fields.raw.has_value() ? fields.raw : is_packed ? fields.floats : std::nullopt;
  if (!range.has_value() || range->length() != bytes) return std::nullopt;
  return Payload{.path = "", .offset = range->begin, .length = bytes};
}

absl::Status CopyRange(Source& source, int64_t offset, int64_t length, ByteSink sink) {
  if (!source.memory().empty()) {
    return sink(source.memory().substr(static_cast<size_t>(offset), static_cast<size_t>(length)));
  }
  std::string chunk;
  while (length > 0) {
    const int64_t next = std::min(length, kChunkBytes);
    chunk.resize(static_cast<size_t>(next));
    HWEST_RETURN_IF_ERROR(source.Read(offset, next, chunk.data()));
    HWEST_RETURN_IF_ERROR(sink(chunk));
    offset += next;
    length -= next;
  }
  return absl::OkStatus();
}

namespace {

// Runs of elements, each in another order.
absl::Status WriteOrdered(Source& source, const Derived& derived, ByteSink sink) {
  const auto width = static_cast<size_t>(ElemBits(derived.elem) / 8);
  const size_t run_bytes = derived.order.size() * width;
  const int64_t runs_at_once = std::max<int64_t>(1, kChunkBytes / static_cast<int64_t>(run_bytes));
  const int64_t step = runs_at_once * static_cast<int64_t>(run_bytes);
  for (int64_t at = 0; at < derived.payload.length; at += step) {
    const int64_t length = std::min(step, derived.payload.length - at);
    HWEST_RETURN_IF_ERROR(CopyRange(source, derived.payload.offset + at, length, [&](absl::string_view bytes) {
      std::string ordered;
      ordered.reserve(bytes.size());
      for (size_t run = 0; run + run_bytes <= bytes.size(); run += run_bytes) {
        for (const int32_t from : derived.order)
          ordered.append(bytes.data() + run + static_cast<size_t>(from) * width, width);
      }
      return sink(ordered);
    }));
  }
  return absl::OkStatus();
}

// In two's complement, 128 more or less is the highest bit turned.
absl::Status WriteMoved(Source& source, const Payload& payload, ByteSink sink) {
  return CopyRange(source, payload.offset, payload.length, [&](absl::string_view bytes) {
    std::string moved(bytes);
    for (char& byte : moved) byte = static_cast<char>(byte ^ 0x80);
    return sink(moved);
  });
}

}  // namespace

absl::Status WriteDerived(const ModelFile& file, const Derived& derived, ByteSink sink) {
  const Payload& payload = derived.payload;
  return WithSource(file, payload, [&](Source& source) -> absl::Status {
    if (!derived.order.empty()) return WriteOrdered(source, derived, sink);
    if (derived.moves_by_128) return WriteMoved(source, payload, sink);
    if (derived.factors.empty()) return CopyRange(source, payload.offset, payload.length, sink);
    const int64_t width = ElemBits(derived.elem) / 8;
    int64_t element = 0;
    return CopyRange(source, payload.offset, payload.length, [&](absl::string_view bytes) {
      std::string scaled;
      scaled.reserve(bytes.size());
      for (size_t at = 0; at < bytes.size(); at += static_cast<size_t>(width), ++element) {
        const size_t factor = static_cast<size_t>(element / derived.inner) % derived.factors.size();
        AppendNumber(NumberAt(bytes.data() + at, derived.elem) * derived.factors[factor], derived.elem, &scaled);
      }
      return sink(scaled);
    });
  });
}

absl::StatusOr<std::vector<double>> ReadNumbers(const ModelFile& file, const Payload& payload, ElemType elem) {
  std::vector<double> numbers;
  const auto width = static_cast<size_t>(ElemBits(elem) / 8);
  HWEST_RETURN_IF_ERROR(WithSource(file, payload, [&](Source& source) {
    return CopyRange(source, payload.offset, payload.length, [&](absl::string_view bytes) {
      for (size_t at = 0; at + width <= bytes.size(); at += width) {
        numbers.push_back(NumberAt(bytes.data() + at, elem));
      }
      return absl::OkStatus();
    });
  }));
  return numbers;
}

}  // namespace hwest
