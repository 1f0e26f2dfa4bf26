#include "target/pack.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hwest {
namespace {

// Passes every field of a row to `io`. A wrong number of fields does not compile.
#define HWEST_FIELDS(Row, ...)    \
  template <class Io>             \
  void Fields(Io& io, Row& row) { \
    auto& [__VA_ARGS__] = row;    \
    io(__VA_ARGS__);              \
  }
HWEST_FIELDS(FactSource, a, b, c, d)
HWEST_FIELDS(Fit, a, b, c, d, e)
HWEST_FIELDS(Fact, a, b, c, d, e, f, g)
HWEST_FIELDS(Param, a, b, c, d)
HWEST_FIELDS(Evidence, a, b, c, d, e, f)
HWEST_FIELDS(Memory, a, b, c, d, e, f, g, h, i)
HWEST_FIELDS(Rate, a, b, c, d, e, f, g, h)
HWEST_FIELDS(Tile, a, b, c, d, e, f)
HWEST_FIELDS(Unit, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
HWEST_FIELDS(Link, a, b, c, d, e, f)
HWEST_FIELDS(Setting, a, b, c, d, e, f, g)
HWEST_FIELDS(Mode, a, b, c, d, e)
HWEST_FIELDS(MeasuredAs, a, b, c, d, e, f, g)
HWEST_FIELDS(Limit, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
HWEST_FIELDS(SupportRow, a, b, c, d, e, f, g, h, i, j)
HWEST_FIELDS(Pick, a, b, c, d)
HWEST_FIELDS(Keep, a, b)
HWEST_FIELDS(Widening, a, b, c, d, e)
HWEST_FIELDS(SlowKernel, a, b, c, d, e, f, g)
HWEST_FIELDS(HostCopy, a, b, c, d, e, f, g, h, i)
HWEST_FIELDS(Sharing, a, b, c, d, e)
HWEST_FIELDS(Partition, a, b, c, d, e, f)
HWEST_FIELDS(Toolchain::OpIndex, a, b, c)
HWEST_FIELDS(WeightFormat, a, b, c, d, e, f, g, h, i, j, k)
HWEST_FIELDS(CacheFormat, a, b, c, d)
HWEST_FIELDS(TakesForm, a, b, c, d, e)
HWEST_FIELDS(Language, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
HWEST_FIELDS(LanguageRuntime, a, b, c, d, e, f, g)
HWEST_FIELDS(VideoDecoder, a, b)
HWEST_FIELDS(Toolchain, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z)
HWEST_FIELDS(Target, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
HWEST_FIELDS(TargetSummary, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
#undef HWEST_FIELDS

template <class T>
constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// A size below 255 takes one byte; larger ones take that byte and four more.
constexpr size_t kLongSize = 255;

class Writer {
 public:
  template <class... Rows>
  void operator()(Rows&... rows) {
    (Write(rows), ...);
  }
  std::string Take() && { return std::move(bytes_); }

 private:
  void WriteRaw(const void* from, size_t size) { bytes_.append(static_cast<const char*>(from), size); }
  void WriteSize(size_t size) {
    bytes_.push_back(static_cast<char>(static_cast<uint8_t>(size < kLongSize ? size : kLongSize)));
    const auto whole = static_cast<uint32_t>(size);
    if (size >= kLongSize) WriteRaw(&whole, sizeof whole);
  }
  template <class T>
  void Write(T& row) {
    if constexpr (kIsPlain<T>)
      WriteRaw(&row, sizeof row);
    else
      Fields(*this, row);
  }
  void Write(std::string& text) {
    WriteSize(text.size());
    bytes_.append(text);
  }
  template <class T>
  void Write(std::optional<T>& row) {
    bytes_.push_back(row.has_value() ? 1 : 0);
    if (row.has_value()) Write(*row);
  }
  template <class T>
  void Write(std::vector<T>& rows) {
    WriteSize(rows.size());
    for (T& row : rows) Write(row);
  }
  template <class Id, class T>
  void Write(IdMap<Id, T>& rows) {
    WriteSize(rows.size());
    for (T& row : rows) Write(row);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(absl::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  template <class... Rows>
  void operator()(Rows&... rows) {
    (Read(rows), ...);
  }
  bool is_whole() const { return ok_ && at_ == end_; }

 private:
  // After a request for missing bytes nothing is left.
  bool Has(size_t size) {
    if (size <= static_cast<size_t>(end_ - at_)) return true;
    ok_ = false;
    at_ = end_;
    return false;
  }
  template <class T>
  void ReadRaw(T* out) {
    if (!Has(sizeof *out)) return;
    std::memcpy(out, at_, sizeof *out);
    at_ += sizeof *out;
  }
  // Every row takes at least a byte, so no size can claim more memory than there are bytes.
  size_t ReadSize() {
    uint8_t size = 0;
    ReadRaw(&size);
    uint32_t whole = size;
    if (size == kLongSize) ReadRaw(&whole);
    return Has(whole) ? whole : 0;
  }
  template <class T>
  void Read(T& row) {
    if constexpr (kIsPlain<T>)
      ReadRaw(&row);
    else
      Fields(*this, row);
  }
  void Read(std::string& text) {
    const size_t size = ReadSize();
    if (size > 0) text.assign(at_, size);
    at_ += size;
  }
  template <class T>
  void Read(std::optional<T>& row) {
    uint8_t is_there = 0;
    ReadRaw(&is_there);
    if (is_there != 0) Read(row.emplace());
  }
  template <class T>
  void Read(std::vector<T>& rows) {
    rows.resize(ReadSize());
    for (T& row : rows) Read(row);
  }
  template <class Id, class T>
  void Read(IdMap<Id, T>& rows) {
    rows.resize(ReadSize());
    for (T& row : rows) Read(row);
  }

  const char* at_;
  const char* const end_;
  bool ok_ = true;
};

template <class Row>
std::string Packed(Row row) {
  Writer writer;
  writer(row);
  return std::move(writer).Take();
}

template <class Row>
bool Unpacked(absl::string_view bytes, Row* row) {
  Reader reader(bytes);
  reader(*row);
  return reader.is_whole();
}

}  // namespace

std::string Pack(const Target& target) {
  Target packed = target;
  packed.toolchains.clear();
  for (const Toolchain& toolchain : target.toolchains) packed.toolchains.push_back({.name = toolchain.name});
  return Packed(std::move(packed));
}

std::string Pack(const Toolchain& toolchain) { return Packed(toolchain); }
std::string Pack(const TargetSummary& summary) { return Packed(summary); }

bool Unpack(absl::string_view bytes, Target* target) { return Unpacked(bytes, target); }
bool Unpack(absl::string_view bytes, Toolchain* toolchain) { return Unpacked(bytes, toolchain); }
bool Unpack(absl::string_view bytes, TargetSummary* summary) { return Unpacked(bytes, summary); }

}  // namespace hwest
