#include "llm/gguf.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr int kMostNested = 4;
constexpr uint32_t kMostDims = 8;
constexpr size_t kMostKey = 65535;
constexpr int64_t kMostTensors = 1'000'000, kMostKeys = 100'000;

struct GgufType {
  uint32_t number;
  absl::string_view name;
  int64_t block, bytes;
};
constexpr GgufType kTypes[] = {
    {0, "F32", 1, 4},         {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},      {3, "Q4_1", 32, 20},
    {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},      {8, "Q8_0", 32, 34},      {9, "Q8_1", 32, 36},
    {10, "Q2_K", 256, 84},    {11, "Q3_K", 256, 110},   {12, "Q4_K", 256, 144},   {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},   {15, "Q8_K", 256, 292},   {16, "IQ2_XXS", 256, 66}, {17, "IQ2_XS", 256, 74},
    {18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50},   {20, "IQ4_NL", 32, 18},   {21, "IQ3_S", 256, 110},
    {22, "IQ2_S", 256, 82},   {23, "IQ4_XS", 256, 136}, {24, "I8", 1, 1},         {25, "I16", 1, 2},
    {26, "I32", 1, 4},        {27, "I64", 1, 8},        {28, "F64", 1, 8},        {29, "IQ1_M", 256, 56},
    {30, "BF16", 1, 2},       {34, "TQ1_0", 256, 54},   {35, "TQ2_0", 256, 66},   {39, "MXFP4", 32, 17},
};

struct FileType {
  int64_t number;
  absl::string_view name;
};
constexpr FileType kFileTypes[] = {
    {0, "F32"},     {1, "F16"},     {2, "Q4_0"},     {3, "Q4_1"},    {7, "Q8_0"},    {8, "Q5_0"},    {9, "Q5_1"},
    {10, "Q2_K"},   {11, "Q3_K_S"}, {12, "Q3_K_M"},  {13, "Q3_K_L"}, {14, "Q4_K_S"}, {15, "Q4_K_M"}, {16, "Q5_K_S"},
    {17, "Q5_K_M"}, {18, "Q6_K"},   {19, "IQ2_XXS"}, {20, "IQ2_XS"}, {21, "Q2_K_S"}, {22, "IQ3_XS"}, {23, "IQ3_XXS"},
    {24, "IQ1_S"},  {25, "IQ4_NL"}, {26, "IQ3_S"},   {27, "IQ3_M"},  {28, "IQ2_S"},  {29, "IQ2_M"},  {30, "IQ4_XS"},
    {31, "IQ1_M"},  {32, "BF16"},   {36, "TQ1_0"},   {37, "TQ2_0"},  {38, "MXFP4"},
};

// Types of values.
enum ValueType : uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64,
};

class HeaderReader {
 public:
  HeaderReader(absl::string_view bytes, absl::string_view name) : bytes_(bytes), name_(name) {}

  absl::StatusOr<GgufHeader> Run();

 private:
  absl::Status Corrupt(absl::string_view what) const {
    return MakeError(Code::kModelCorrupt, absl::StrCat(EscapeControl(name_), ": ", what, ", at byte ", at_),
                     "download the file again");
  }
  size_t left() const { return bytes_.size() - at_; }

  template <typename Number>
  absl::StatusOr<Number> Read() {
    if (left() < sizeof(Number)) return Corrupt("the header is cut short");
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof(Number));
    at_ += sizeof(Number);
    return number;
  }
  absl::StatusOr<absl::string_view> ReadText(size_t most);
  absl::StatusOr<std::optional<int64_t>> ReadNumber(uint32_t type);
  absl::Status ReadValue(const std::string& key, uint32_t type);
  absl::Status ReadList(const std::string& key, int depth);
  absl::Status ReadTensor();

  absl::string_view bytes_;
  absl::string_view name_;
  size_t at_ = 0;
  GgufHeader header_;
};

absl::StatusOr<absl::string_view> HeaderReader::ReadText(size_t most) {
  HWEST_ASSIGN_OR_RETURN(const uint64_t length, Read<uint64_t>());
  if (length > left()) return Corrupt("the header is cut short");
  if (length > most) return Corrupt(absl::StrCat("a name of ", length, " bytes"));
  const absl::string_view text = bytes_.substr(at_, length);
  at_ += length;
  return text;
}

// None for floating point numbers.
absl::StatusOr<std::optional<int64_t>> HeaderReader::ReadNumber(uint32_t type) {
  const auto wide = [](auto number) { return std::optional<int64_t>(static_cast<int64_t>(number)); };
  switch (type) {
    case kU8:
    case kBool: {
      HWEST_ASSIGN_OR_RETURN(const uint8_t n, Read<uint8_t>());
      return wide(n);
    }
    case kI8: {
      HWEST_ASSIGN_OR_RETURN(const int8_t n, Read<int8_t>());
      return wide(n);
    }
    case kU16: {
      HWEST_ASSIGN_OR_RETURN(const uint16_t n, Read<uint16_t>());
      return wide(n);
    }
    case kI16: {
      HWEST_ASSIGN_OR_RETURN(const int16_t n, Read<int16_t>());
      return wide(n);
    }
    case kU32: {
      HWEST_ASSIGN_OR_RETURN(const uint32_t n, Read<uint32_t>());
      return wide(n);
    }
    case kI32: {
      HWEST_ASSIGN_OR_RETURN(const int32_t n, Read<int32_t>());
      return wide(n);
    }
    case kI64: {
      HWEST_ASSIGN_OR_RETURN(const int64_t n, Read<int64_t>());
      return wide(n);
    }
    case kU64: {
      HWEST_ASSIGN_OR_RETURN(const uint64_t n, Read<uint64_t>());
      return std::optional<int64_t>(n > static_cast<uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(n));
    }
    case kF32: HWEST_RETURN_IF_ERROR(Read<uint32_t>().status()); return std::optional<int64_t>();
    case kF64: HWEST_RETURN_IF_ERROR(Read<uint64_t>().status()); return std::optional<int64_t>();
    default: return Corrupt(absl::StrCat("a value of unknown type ", type));
  }
}

absl::Status HeaderReader::ReadList(const std::string& key, int depth) {
  HWEST_ASSIGN_OR_RETURN(const uint32_t type, Read<uint32_t>());
  HWEST_ASSIGN_OR_RETURN(const uint64_t length, Read<uint64_t>());
  if (depth > kMostNested) return Corrupt("lists are nested too deeply");
  if (length > left()) return Corrupt("the header is cut short");  // each item takes a byte at least
  header_.lengths[key] = static_cast<int64_t>(length);
  std::vector<int64_t> numbers;
  for (uint64_t i = 0; i < length; ++i) {
    if (type == kString) {
      HWEST_RETURN_IF_ERROR(ReadText(bytes_.size()).status());
    } else if (type == kArray) {
      HWEST_RETURN_IF_ERROR(ReadList(absl::StrCat(key, "[]"), depth + 1));
    } else {
      HWEST_ASSIGN_OR_RETURN(const std::optional<int64_t> number, ReadNumber(type));
      if (number && i < static_cast<uint64_t>(kMostListed)) numbers.push_back(*number);
    }
  }
  if (!numbers.empty()) header_.lists[key] = std::move(numbers);
  return absl::OkStatus();
}

absl::Status HeaderReader::ReadValue(const std::string& key, uint32_t type) {
  if (type == kString) {
    HWEST_ASSIGN_OR_RETURN(const absl::string_view text, ReadText(bytes_.size()));
    if (text.size() <= kMostKey) header_.texts[key] = std::string(text);
    return absl::OkStatus();
  }
  if (type == kArray) return ReadList(key, 0);
  HWEST_ASSIGN_OR_RETURN(const std::optional<int64_t> number, ReadNumber(type));
  if (number) header_.numbers[key] = *number;
  return absl::OkStatus();
}

absl::Status HeaderReader::ReadTensor() {
  GgufTensor tensor;
  HWEST_ASSIGN_OR_RETURN(tensor.name, ReadText(kMostKey));
  HWEST_ASSIGN_OR_RETURN(const uint32_t rank, Read<uint32_t>());
  if (rank > kMostDims) return Corrupt(absl::StrCat("a tensor of ", rank, " axes"));
  std::optional<int64_t> elements = 1;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    HWEST_ASSIGN_OR_RETURN(const uint64_t size, Read<uint64_t>());
    if (size == 0 || size > static_cast<uint64_t>(INT64_MAX)) return Corrupt("a tensor with an axis of no size");
    tensor.dims.push_back(static_cast<int64_t>(size));
    elements = elements ? CheckedMul(*elements, tensor.dims.back()) : elements;
  }
  if (!elements || *elements > INT64_MAX / 64) return Corrupt("a tensor of more elements than can be counted");
  tensor.elements = *elements;
  HWEST_ASSIGN_OR_RETURN(tensor.type, Read<uint32_t>());
  HWEST_RETURN_IF_ERROR(Read<uint64_t>().status());  // where it lies
  header_.tensors.push_back(std::move(tensor));
  return absl::OkStatus();
}

absl::StatusOr<GgufHeader> HeaderReader::Run() {
  if (bytes_.substr(0, 4) != "GGUF") return Corrupt("it does not begin with GGUF");
  at_ = 4;
  HWEST_ASSIGN_OR_RETURN(const uint32_t version, Read<uint32_t>());
  if (version != 2 && version != 3) {
    const bool is_swapped = (version & 0xffffu) == 0 && version != 0;
    return MakeError(Code::kModelRefused,
                     absl::StrCat(EscapeControl(name_), ": ",
                                  is_swapped ? "its bytes are in the order of big-endian machines"
                                             : absl::StrCat("version ", version, " of GGUF is not read")),
                     "convert it to version 3, little endian");
  }
  HWEST_ASSIGN_OR_RETURN(const int64_t tensors, Read<int64_t>());
  HWEST_ASSIGN_OR_RETURN(const int64_t keys, Read<int64_t>());
  if (tensors < 0 || tensors > kMostTensors) return Corrupt(absl::StrCat("it claims ", tensors, " tensors"));
  if (keys < 0 || keys > kMostKeys) return Corrupt(absl::StrCat("it claims ", keys, " keys"));
  for (int64_t i = 0; i < keys; ++i) {
    HWEST_ASSIGN_OR_RETURN(const absl::string_view key, ReadText(kMostKey));
    HWEST_ASSIGN_OR_RETURN(const uint32_t type, Read<uint32_t>());
    HWEST_RETURN_IF_ERROR(ReadValue(std::string(key), type));
  }
  for (int64_t i = 0; i < tensors; ++i) HWEST_RETURN_IF_ERROR(ReadTensor());
  return std::move(header_);
}

}  // namespace

absl::StatusOr<GgufHeader> ReadGgufHeader(absl::string_view bytes, absl::string_view name) {
  return HeaderReader(bytes, name).Run();
}

int64_t GgufBytes(uint32_t type, int64_t elements) {
  for (const GgufType& row : kTypes) {
    if (row.number == type) return (elements / row.block + (elements % row.block != 0 ? 1 : 0)) * row.bytes;
  }
  return -1;
}

absl::string_view GgufTypeName(uint32_t type) {
  for (const GgufType& row : kTypes) {
    if (row.number == type) return row.name;
  }
  return "";
}

absl::string_view GgufFileType(int64_t file_type) {
  for (const FileType& row : kFileTypes) {
    if (row.number == file_type) return row.name;
  }
  return "";
}

}  // namespace hwest
